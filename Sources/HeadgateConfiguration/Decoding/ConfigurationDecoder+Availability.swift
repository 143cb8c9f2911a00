extension ConfigurationDecoder {
    /// Reads the settings that decide when an upstream can receive a request.
    mutating func readAvailability(of upstream: inout UpstreamConfiguration, in fields: Fields) {
        upstream.maximumInFlight = wholeNumber("max_in_flight", of: fields, in: 1...1_000_000)
        var waiting = fields
        if upstream.maximumInFlight == nil { waiting.leftOut.append("queue_timeout") }
        if let timeout = duration("queue_timeout", of: waiting) { upstream.queueTimeout = timeout }
        if let entry = fields["queue_timeout"], fields.lacks("max_in_flight") {
            warnings.add(
                "queue_timeout: without max_in_flight no request waits: add max_in_flight, or remove it",
                at: entry.keyPosition)
        }
        if let isLocal = flag("local", of: fields) { upstream.isLocal = isLocal }
        settings?.show("\(upstream.isLocal)", at: fields.path.key("local"))
        upstream.healthCheck = healthCheck(in: fields)
        upstream.breaker = breaker(in: fields)
    }

    /// Reads the formats of conversations that an upstream speaks, each once.
    mutating func spokenFormats(in fields: Fields) -> [SpokenFormat]? {
        let known = SpokenFormat.allCases.map(\.rawValue)
        let formats = values(
            "speaks", of: fields, list: "formats, such as [chat, responses]", each: alternatives(known), echo: .word
        ) { (text) throws(InvalidValue) in
            if let format = SpokenFormat(rawValue: text) { return format }
            let advice = nearest(text, in: known).map { "; did you mean \(quoted($0))?" } ?? ""
            throw InvalidValue("expected \(alternatives(known))\(advice)")
        }
        guard let formats, let entry = fields["speaks"] else { return nil }
        if case .sequence(let items) = entry.value.content, items.isEmpty {
            issues.add("speaks: the list is empty: name \(alternatives(known))", at: entry.value.position)
        }
        if Set(formats).count < formats.count {
            issues.add("speaks: a format stands twice: name each once", at: entry.value.position)
        }
        return formats.isEmpty ? nil : formats
    }

    /// Reads a health check. Programs that the gateway runs are not checked, because a check would start them or keep
    /// them running.
    private mutating func healthCheck(in fields: Fields) -> HealthCheckConfiguration? {
        guard let entry = fields["health"] else {
            recordStandard("health", of: fields)
            return nil
        }
        var check = HealthCheckConfiguration()
        let section = section("health", of: fields, as: .health)
        if let path = urlPath("path", of: section, such: "/models") { check.path = path }
        if let every = seconds("every", of: section) { check.every = every }
        guard fields["command"] == nil else {
            warnings.add("health: a program that the gateway runs is not checked: remove it", at: entry.keyPosition)
            return nil
        }
        return check
    }

    /// Reads a circuit breaker. Missing values are inherited or have their defaults; nil if there is neither a breaker
    /// nor an inherited one.
    mutating func breaker(
        in fields: Fields, over inherited: (breaker: BreakerConfiguration, path: SettingPath)? = nil
    ) -> BreakerConfiguration? {
        guard fields["breaker"] != nil || inherited != nil else { return nil }
        var breaker = inherited?.breaker ?? BreakerConfiguration()
        var section = section("breaker", of: fields, as: .breaker)
        section.inherited = inherited?.path.key("breaker")
        if let failures = wholeNumber("failures", of: section, in: 1...1000) { breaker.failures = failures }
        if let cooldown = seconds("cooldown", of: section) { breaker.cooldown = cooldown }
        return breaker
    }

    /// Reads a duration of at least one second.
    private mutating func seconds(_ key: String, of fields: Fields) -> Duration? {
        value(key, of: fields, as: DurationText.expectedSeconds) { (text) throws(InvalidValue) in
            try DurationText.parseSeconds(text)
        }
    }

    /// Reads the path of a request that the gateway itself sends.
    mutating func urlPath(_ key: String, of fields: Fields, such example: String) -> String? {
        value(key, of: fields, as: "a path such as \(example)") { (text) throws(InvalidValue) in
            guard text.hasPrefix("/"), text.utf8.allSatisfy(ASCII.isVisible), !text.contains("#") else {
                throw InvalidValue("expected a path such as \(example)")
            }
            return text
        }
    }
}
