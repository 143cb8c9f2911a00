extension ConfigurationDecoder {
    /// Returns the upstreams if no file names any: those whose own libraries' variables are set, or else the built-in
    /// model.
    mutating func environmentUpstreams(namesAreKnown: Bool) -> DecodedUpstreams {
        var decoded = [openAIUpstream(), anthropicUpstream(), azureUpstream(), ollamaUpstream()].compactMap(\.self)
        for upstream in decoded {
            guard let url = upstream.baseURL,
                let reason = surroundings.refusal(of: url, allowsPrivate: upstream.allowsPrivateAddresses)
            else { continue }
            issues.add("upstream \(quoted(upstream.name)): \(reason)", at: nil)
        }
        if decoded.isEmpty { decoded = [environmentUpstream(UpstreamKind.onDevice.rawValue, .onDevice)] }
        return DecodedUpstreams(decoded: decoded, names: namesAreKnown ? decoded.map(\.name) : nil)
    }

    private mutating func openAIUpstream() -> UpstreamConfiguration? {
        guard environment["OPENAI_API_KEY"] != nil || environment["OPENAI_BASE_URL"] != nil else { return nil }
        return environmentUpstream(
            "openai", .openai, key: "OPENAI_API_KEY", url: "OPENAI_BASE_URL", standardURL: .openAI)
    }

    /// Returns Anthropic's upstream. A base URL alone is not enough, because it might point other programs at this
    /// gateway.
    private mutating func anthropicUpstream() -> UpstreamConfiguration? {
        guard environment["ANTHROPIC_API_KEY"] != nil else { return nil }
        return environmentUpstream(
            "anthropic", .anthropic, key: "ANTHROPIC_API_KEY", url: "ANTHROPIC_BASE_URL", standardURL: .anthropic)
    }

    private mutating func azureUpstream() -> UpstreamConfiguration? {
        let (key, endpoint) = ("AZURE_OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT")
        switch (environment[key], environment[endpoint]) {
        case (nil, nil): return nil
        case (nil, .some), (.some, nil):
            let missing = environment[key] == nil ? key : endpoint
            let present = environment[key] == nil ? endpoint : key
            issues.add("\(present) is set without \(missing): set both, or unset it", at: nil)
            return nil
        case (.some, .some):
            return environmentUpstream("azure", .azure, key: key, url: endpoint, version: "OPENAI_API_VERSION")
        }
    }

    private mutating func ollamaUpstream() -> UpstreamConfiguration? {
        guard environment["OLLAMA_HOST"] != nil else { return nil }
        var upstream = environmentUpstream("ollama", .openai, url: "OLLAMA_HOST") { (text) throws(InvalidValue) in
            try UpstreamURL(parsingOllamaHost: text)
        }
        // The user named the machine, and such a server rarely has a public address.
        upstream.allowsPrivateAddresses = upstream.baseURL?.isLoopback == false
        let path = SettingPath.root.key("upstreams").key(upstream.name).key("allow_private")
        let origin = Self.origin(ofVariables: ["OLLAMA_HOST"])
        settings?.record(path, "\(upstream.allowsPrivateAddresses)", origin: origin)
        return upstream
    }

    /// Returns an upstream from the variables that contain its parts. Other settings have the defaults of a file.
    private mutating func environmentUpstream(
        _ name: String, _ kind: UpstreamKind, key: String? = nil, url: String? = nil, standardURL: UpstreamURL? = nil,
        version: String? = nil,
        parseURL: (String) throws(InvalidValue) -> UpstreamURL = { (text) throws(InvalidValue) in
            try UpstreamURL(parsing: text)
        }
    ) -> UpstreamConfiguration {
        var fields = Fields(.upstream, at: SettingPath.root.key("upstreams").key(name))
        fields.leftOut = MappingDeclaration.upstream.keys.filter { !$0.kinds.contains(kind) }.map(\.name)
        let path = fields.path
        settings?.record(path.key("kind"), kind.rawValue, origin: SettingList.standardOrigin)
        var upstream = UpstreamConfiguration(name: name, kind: kind)
        let hasVersion = version.map { environment[$0] != nil } ?? false
        if let url {
            upstream.baseURL = variable(url, at: path.key("base_url")) { (text) throws(InvalidValue) in
                try kind.complete(try parseURL(text), hasVersion: hasVersion)
            }
            if let baseURL = upstream.baseURL { settings?.show(baseURL.description, at: path.key("base_url")) }
        }
        if upstream.baseURL == nil, let standardURL {
            upstream.baseURL = standardURL
            settings?.record(path.key("base_url"), standardURL.description, origin: SettingList.standardOrigin)
        }
        if let key {
            let key = variable(key, echo: .nothing, at: path.key("api_key")) { (text) throws(InvalidValue) in
                try Secret.parse(text)
            }
            upstream.apiKeys = key.map { [$0] } ?? []
        }
        upstream.timeouts = timeouts(in: fields)
        if let version {
            upstream.apiVersion = variable(version, at: path.key("api_version")) { (text) throws(InvalidValue) in
                try AzureEndpoint.checkVersion(text)
            }
        }
        return upstream
    }
}
