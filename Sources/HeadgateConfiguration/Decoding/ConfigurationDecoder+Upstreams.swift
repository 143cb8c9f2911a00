/// The upstreams of a file or of the environment.
struct DecodedUpstreams {
    var decoded: [UpstreamConfiguration] = []
    /// The names that models may refer to, also those whose upstream has issues; nil when they cannot be known.
    var names: [String]?
    /// Where the file begins its upstreams; nil when they come from the environment.
    var position: SourcePosition?
}

extension ConfigurationDecoder {
    static let upstreamKeys = ["kind", "base_url", "api_key", "headers", "timeouts"]

    /// Each upstream has its own connections and metrics, and models are looked up in the list of their names.
    static let maximumUpstreams = 256

    mutating func upstreams(in fields: Fields) -> DecodedUpstreams {
        guard let entry = fields["upstreams"], !entry.value.isNull else {
            // A misspelt key has been reported; the models then refer to upstreams that nobody read.
            let isKnown = fields["upstreams"] != nil || fields.lacks("upstreams")
            return environmentUpstreams(namesAreKnown: isKnown)
        }
        guard let entries = mapping(entry.value, place: "upstreams", of: "names to upstreams") else {
            return DecodedUpstreams()
        }
        guard !entries.isEmpty else { return environmentUpstreams(namesAreKnown: true) }
        if entries.count > Self.maximumUpstreams {
            issues.add(
                "upstreams: \(entries.count) are too many: keep at most \(Self.maximumUpstreams)", at: entry.keyPosition
            )
        }
        var upstreams = DecodedUpstreams(
            names: entries.prefix(Self.maximumUpstreams).map(\.key), position: entry.keyPosition)
        for entry in entries.prefix(Self.maximumUpstreams) {
            if let upstream = upstream(entry) { upstreams.decoded.append(upstream) }
        }
        return upstreams
    }

    private mutating func environmentUpstreams(namesAreKnown: Bool) -> DecodedUpstreams {
        let upstream = environmentUpstream()
        return DecodedUpstreams(decoded: [upstream], names: namesAreKnown ? [upstream.name] : nil)
    }

    private mutating func upstream(_ entry: YAMLEntry) -> UpstreamConfiguration? {
        let place = "upstream \(quoted(entry.key))"
        do throws(InvalidValue) {
            try Name.checkUpstream(entry.key)
        } catch {
            issues.add("\(place): \(error.message)", at: entry.keyPosition)
        }
        guard let fields = fields(of: entry.value, known: Self.upstreamKeys, in: place) else { return nil }
        let kind = kind(fields, place: place, position: entry.keyPosition)
        let url = fields["base_url"].flatMap { entry in
            decode(entry, as: UpstreamURL.expected, echo: .nothing) { (text) throws(InvalidValue) in
                try UpstreamURL(parsing: text)
            }
        }
        let key = fields["api_key"].flatMap { entry in
            decode(entry, as: "a key such as \"${OPENAI_API_KEY}\"", echo: .nothing) { (text) throws(InvalidValue) in
                try Secret.parse(text)
            }
        }
        let headers = headers(fields["headers"])
        let timeouts = timeouts(fields["timeouts"])
        switch kind {
        case .onDevice:
            for key in ["base_url", "api_key", "headers"] {
                guard let entry = fields[key] else { continue }
                issues.add("\(key): the built-in model (kind: on-device) takes none: remove it", at: entry.keyPosition)
            }
        case .openai, .anthropic, .azure:
            guard fields.lacks("base_url") else { break }
            issues.add(
                "\(place) has no base_url: add one such as base_url: https://api.openai.com/v1", at: entry.keyPosition)
        case nil:
            break
        }
        guard let kind else { return nil }
        var upstream = UpstreamConfiguration(name: entry.key, kind: kind, baseURL: url, apiKey: key)
        upstream.headers = headers
        upstream.timeouts = timeouts
        return upstream
    }

    private mutating func kind(_ fields: Fields, place: String, position: SourcePosition) -> UpstreamKind? {
        let known = UpstreamKind.allCases.map(\.rawValue)
        guard let entry = fields["kind"] else {
            if fields.lacks("kind") {
                issues.add("\(place) has no kind: add kind: \(known.joined(separator: " or kind: "))", at: position)
            }
            return nil
        }
        let expectation = known.joined(separator: " or ")
        return decode(entry, as: expectation) { (text) throws(InvalidValue) in
            if let kind = UpstreamKind(rawValue: text) { return kind }
            let advice = nearest(text, in: known).map { "; did you mean \(quoted($0))?" } ?? ""
            throw InvalidValue("expected \(expectation)\(advice)")
        }
    }

    private mutating func headers(_ entry: YAMLEntry?) -> [HeaderConfiguration] {
        guard let entry, let entries = mapping(entry.value, place: "headers", of: "header names to values") else {
            return []
        }
        var seen: Set<String> = []
        var headers: [HeaderConfiguration] = []
        for entry in entries {
            let place = "header \(quoted(entry.key))"
            do throws(InvalidValue) {
                try HeaderConfiguration.checkName(entry.key)
                guard seen.insert(entry.key.lowercased()).inserted else {
                    throw InvalidValue("it is already set (the case of header names does not count): keep one of them")
                }
            } catch {
                issues.add("\(place): \(error.message)", at: entry.keyPosition)
            }
            let value = decode(entry.value, in: place, as: "text", echo: .nothing) { (text) throws(InvalidValue) in
                try HeaderConfiguration.checkValue(text)
            }
            if let value { headers.append(HeaderConfiguration(name: entry.key, value: value)) }
        }
        return headers
    }

    private mutating func timeouts(_ entry: YAMLEntry?) -> UpstreamTimeouts {
        let standard = UpstreamTimeouts()
        guard let entry,
            let fields = fields(of: entry.value, known: ["connect", "first_byte", "silence"], in: "timeouts")
        else { return standard }
        return UpstreamTimeouts(
            connect: duration(fields["connect"]) ?? standard.connect,
            firstByte: duration(fields["first_byte"]) ?? standard.firstByte,
            silence: duration(fields["silence"]) ?? standard.silence)
    }

    private mutating func duration(_ entry: YAMLEntry?) -> Duration? {
        guard let entry else { return nil }
        return decode(entry, as: DurationText.expected) { (text) throws(InvalidValue) in try DurationText.parse(text) }
    }
}
