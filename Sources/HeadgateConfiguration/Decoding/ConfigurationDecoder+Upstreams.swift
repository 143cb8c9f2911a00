internal import HeadgatePrimitives

/// The upstreams of a file or of the environment.
struct DecodedUpstreams {
    var decoded: [UpstreamConfiguration] = []
    /// Names that models can refer to, including those of upstreams with issues; nil if they are unknown.
    var names: [String]?
    /// Position of the upstreams in the file; nil if they come from the environment.
    var position: SourcePosition?
    /// Positions of the names of ``decoded`` in the file; empty if they come from the environment.
    var positions: [SourcePosition] = []
    /// Names of upstreams that list their models, with the positions of that setting.
    var discoveries: [(upstream: String, position: SourcePosition)] = []
}

extension ConfigurationDecoder {
    /// Maximum number of upstreams. Each has its own connections and metrics, and models are looked up in the list of
    /// their names.
    static let maximumUpstreams = 256

    mutating func upstreams(in fields: Fields) -> DecodedUpstreams {
        guard let entry = fields["upstreams"] else {
            // A misspelled key is already reported, and models can refer to upstreams that were not decoded.
            return environmentUpstreams(namesAreKnown: fields.lacks("upstreams"))
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
        let path = fields.path.key("upstreams")
        var upstreams = DecodedUpstreams(
            names: entries.prefix(Self.maximumUpstreams).map(\.key), position: entry.keyPosition)
        for entry in entries.prefix(Self.maximumUpstreams) {
            guard let upstream = upstream(entry, at: path.key(entry.key)) else { continue }
            upstreams.decoded.append(upstream)
            upstreams.positions.append(entry.keyPosition)
            if let discovery = discovery(of: upstream, in: entry) {
                upstreams.discoveries.append((upstream.name, discovery))
            }
        }
        return upstreams
    }

    /// Warns of upstreams without a model, which is usually missing under `models`.
    mutating func warnUnused(_ upstreams: DecodedUpstreams, by models: [ModelConfiguration]) {
        for (index, upstream) in upstreams.decoded.enumerated()
        where !upstream.passesThrough && !models.contains(where: { $0.leads(to: upstream.name) }) {
            let advice =
                upstreams.position == nil ? "name some in a configuration file" : "name it under models, or remove it"
            warnings.add(
                "upstream \(quoted(upstream.name)): no model leads to it: \(advice)",
                at: upstreams.positions.indices.contains(index) ? upstreams.positions[index] : nil)
        }
    }

    private func discovery(of upstream: UpstreamConfiguration, in entry: YAMLEntry) -> SourcePosition? {
        guard upstream.discovers == true, case .mapping(let entries) = entry.value.content else { return nil }
        return entries.first { $0.key == "discover" }?.keyPosition
    }

    /// Warns of `discover` without effect, because the list would not be shown.
    mutating func warnUnlisted(_ upstreams: DecodedUpstreams, by models: [ModelConfiguration]) {
        for (name, position) in upstreams.discoveries {
            let place = "upstream \(quoted(name)): discover"
            if upstreams.decoded.contains(where: { $0.name.isExactly(name) && $0.command != nil }) {
                warnings.add("\(place): a program that the gateway runs is not asked: remove it", at: position)
                continue
            }
            // An upstream without a model has a separate warning.
            guard models.contains(where: { $0.leads(to: name) }),
                !models.contains(where: { $0.passesNames(to: name) })
            else { continue }
            warnings.add(
                "\(place): none of its models is listed, since no pattern leads to it: add one such as \"*\" under "
                    + "models",
                at: position)
        }
    }

    private mutating func upstream(_ entry: YAMLEntry, at path: SettingPath) -> UpstreamConfiguration? {
        let place = "upstream \(quoted(entry.key))"
        do throws(InvalidValue) {
            try Name.checkUpstream(entry.key)
        } catch {
            issues.add("\(place): \(error.message)", at: entry.keyPosition)
        }
        guard var fields = fields(of: entry.value, as: .upstream, at: path, in: place) else { return nil }
        if fields.lacks("kind") {
            let known = alternatives(UpstreamKind.allCases.map(\.rawValue))
            issues.add("\(place) has no kind: add kind: and \(known)", at: entry.keyPosition)
        }
        let kind = kind(in: &fields)
        if let kind {
            fields.leftOut = MappingDeclaration.upstream.keys.filter { !$0.kinds.contains(kind) }.map(\.name)
            refuseForeignKeys(fields, of: kind)
            if kind != .onDevice, fields.lacks("base_url") {
                issues.add(
                    "\(place) has no base_url: add one such as base_url: \(kind.exampleURL)", at: entry.keyPosition)
            }
        }

        var upstream = UpstreamConfiguration(name: entry.key, kind: kind ?? .openai)
        upstream.baseURL = baseURL(fields, kind: kind)
        upstream.apiKeys = apiKeys(in: fields)
        upstream.keyCommand = keyCommand(in: fields)
        let headers = headers(in: fields)
        upstream.headers = headers.set
        upstream.removedHeaders = headers.removed
        upstream.forwardedHeaders = forwardedHeaders(in: fields)
        upstream.strippedBetas = strippedBetas(in: fields)
        upstream.timeouts = timeouts(in: fields)
        upstream.parameters = parameters(in: fields)
        let allowsPrivate = flag("allow_private", of: fields)
        upstream.allowsPrivateAddresses = allowsPrivate ?? false
        upstream.relaysRateLimits = flag("relay_rate_limits", of: fields)
        if let speaks = spokenFormats(in: fields) { upstream.speaks = speaks }
        settings?.show(listText(upstream.speaks.map(\.rawValue)), at: fields.path.key("speaks"))
        upstream.systemMessages = choice("system_messages", of: fields, as: SystemMessages.self)
        upstream.discovers = flag("discover", of: fields)
        if let repairs = flag("repair", of: fields) { upstream.repairs = repairs }
        if let usage = choice("usage_in_streams", of: fields, as: UsageInStreams.self) {
            upstream.usageInStreams = usage
        }
        upstream.passesThrough = flag("passthrough", of: fields) ?? false
        checkPlainHTTP(fields, url: upstream.baseURL)
        let isFlagClear = fields["allow_private"] == nil ? fields.lacks("allow_private") : allowsPrivate != nil
        if isFlagClear, let url = upstream.baseURL,
            let entry = fields["base_url"],
            let reason = surroundings.refusal(of: url, allowsPrivate: upstream.allowsPrivateAddresses)
        {
            issues.add("base_url: \(reason)", at: entry.value.position)
        }
        upstream.proxy = proxy(in: fields, url: upstream.baseURL)
        let willRead = surroundings.willRead
        upstream.authorities = value("ca", of: fields, as: RegularFile.expected) { (text) throws(InvalidValue) in
            willRead(try RegularFile.checkPath(text))
            return try CertificateFile.check(text)
        }
        upstream.apiVersion = value("api_version", of: fields, as: AzureEndpoint.expectedVersion) {
            (text) throws(InvalidValue) in try AzureEndpoint.checkVersion(text)
        }
        upstream.deviceModel = value("model", of: fields, as: ModelFile.expected) { (text) throws(InvalidValue) in
            try ModelFile.check(text)
        }
        readAvailability(of: &upstream, in: fields)
        upstream.command = command(in: fields, kind: kind, url: upstream.baseURL)
        return kind == nil ? nil : upstream
    }

    private mutating func refuseForeignKeys(_ fields: Fields, of kind: UpstreamKind) {
        for key in fields.leftOut {
            guard let entry = fields[key], let declaration = fields.declaration[key] else { continue }
            let reason =
                kind == .onDevice
                ? "the built-in model (kind: on-device) takes none"
                : "only kind: \(alternatives(declaration.kinds.map(\.rawValue))) takes it"
            issues.add("\(key): \(reason): remove it", at: entry.keyPosition)
        }
    }

    private mutating func baseURL(_ fields: Fields, kind: UpstreamKind?) -> UpstreamURL? {
        let hasVersion = !fields.lacks("api_version")
        let url = value("base_url", of: fields, as: UpstreamURL.expected, echo: .onceValid) {
            (text) throws(InvalidValue) in
            let url = try UpstreamURL(parsing: text, allowingPlainHTTP: true)
            return try kind?.complete(url, hasVersion: hasVersion) ?? url
        }
        if let url { settings?.show(url.description, at: fields.path.key("base_url")) }
        return url
    }

    /// Checks that plain HTTP is allowed. A misspelled or invalid flag has its own issue and causes no second one.
    private mutating func checkPlainHTTP(_ fields: Fields, url: UpstreamURL?) {
        let isAllowed = flag("plain_http", of: fields) ?? (fields["plain_http"] != nil)
        guard !isAllowed, fields["plain_http"] != nil || fields.lacks("plain_http"),
            let url, url.scheme == .http, !url.isLoopback, let entry = fields["base_url"]
        else { return }
        issues.add("base_url: \(UpstreamURL.plainHTTPRefusal)", at: entry.value.position)
    }

    private mutating func proxy(in fields: Fields, url: UpstreamURL?) -> ProxyConfiguration? {
        let proxy = value("proxy", of: fields, as: ProxyConfiguration.expected, echo: .nothing) {
            (text) throws(InvalidValue) in try ProxyConfiguration(parsing: text)
        }
        if let entry = fields["proxy"], url?.scheme == .unix {
            issues.add("proxy: a Unix socket is reached without one: remove it", at: entry.keyPosition)
        }
        if let proxy { settings?.show(proxy.text, at: fields.path.key("proxy")) }
        return proxy
    }
}
