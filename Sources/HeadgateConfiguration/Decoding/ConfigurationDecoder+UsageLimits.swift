extension ConfigurationDecoder {
    /// Reads the groups of keys.
    mutating func groups(in file: Fields) -> [GroupConfiguration] {
        guard let entry = file["groups"] else {
            recordStandard("groups", of: file)
            return []
        }
        guard let entries = mapping(entry.value, place: "groups", of: "names to what their keys share") else {
            return []
        }
        let path = file.path.key("groups")
        return entries.compactMap { entry in
            let place = "group \(quoted(entry.key))"
            do throws(InvalidValue) {
                _ = try Name.checkKey(entry.key)
            } catch {
                issues.add("\(place): \(error.message)", at: entry.keyPosition)
            }
            guard let fields = fields(of: entry.value, as: .group, at: path.key(entry.key), in: place) else {
                return nil
            }
            if fields.lacks("limits"), fields.lacks("budget") {
                issues.add(
                    "\(place) has neither limits nor a budget: add limits: {requests: 60/m}, or remove it",
                    at: entry.keyPosition)
            }
            return GroupConfiguration(name: entry.key, limits: usageLimits(of: fields), budget: budget(of: fields))
        }
    }

    /// Reads usage limits; nil if nothing is limited, which is the default.
    mutating func usageLimits(of outer: Fields) -> UsageLimits? {
        guard let entry = outer["limits"] else {
            recordStandard("limits", of: outer)
            return nil
        }
        let fields = section("limits", of: outer, as: .usageLimits)
        let burst = wholeNumber("burst", of: fields, in: 1...1_000_000)
        let limits = UsageLimits(
            requests: rates("requests", of: fields), burst: burst, tokens: rates("tokens", of: fields),
            inputTokens: rates("input_tokens", of: fields), outputTokens: rates("output_tokens", of: fields),
            inFlight: wholeNumber("in_flight", of: fields, in: 1...1_000_000))
        check(burst, of: limits, in: fields)
        if case .mapping(let entries) = entry.value.content, entries.isEmpty {
            issues.add(
                "limits: nothing is limited: add requests, tokens or in_flight, or remove it", at: entry.keyPosition)
        }
        return limits
    }

    private mutating func check(_ burst: Int?, of limits: UsageLimits, in fields: Fields) {
        guard let burst, let entry = fields["burst"] else { return }
        if limits.requests.isEmpty {
            guard fields.lacks("requests") else { return }
            issues.add("burst: it narrows requests, and there are none: add requests: 60/m", at: entry.keyPosition)
        } else if let least = limits.requests.map(\.count).min(), burst > least {
            issues.add(
                "burst: \(burst) is above the \(least) that requests allows: write less", at: entry.value.position)
        }
    }

    private mutating func rates(_ key: String, of fields: Fields) -> [RateLimit] {
        guard let entry = fields[key], case .sequence(let items) = entry.value.content else {
            let rate = value(key, of: fields, as: RateLimit.expected) { (text) throws(InvalidValue) in
                try RateLimit(parsing: text)
            }
            return rate.map { [$0] } ?? []
        }
        if items.isEmpty {
            issues.add("\(key): the list is empty: put a rate into it, or remove it", at: entry.value.position)
        }
        let rates = values(key, of: fields, list: "rates", each: RateLimit.expected) { (text) throws(InvalidValue) in
            try RateLimit(parsing: text)
        }
        if let period = repeatedPeriod(rates ?? []) {
            issues.add(
                "\(key): two rates per \(period.word): write the one that holds, the smaller one",
                at: entry.value.position)
        }
        return rates ?? []
    }

    private func repeatedPeriod(_ rates: [RateLimit]) -> RateLimit.Period? {
        var seen: Set<RateLimit.Period> = []
        return rates.first { !seen.insert($0.period).inserted }?.period
    }
}
