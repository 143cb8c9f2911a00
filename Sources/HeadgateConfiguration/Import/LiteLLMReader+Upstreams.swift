internal import HeadgatePrimitives

extension LiteLLMReader {
    /// Texts that stand for a missing key.
    private static let placeholders: Set<String> = [
        "none", "empty", "dummy", "fake", "fake-key", "na", "n/a", "no-key", "not-needed", "not-required", "anything",
        "null", "ollama", "lm-studio", "sk-no-key-required",
    ]

    /// - Parameter member: Returns a member of `litellm_params`, or of the credentials that it names.
    /// - Returns: Nil for an upstream without an address, which is noted.
    mutating func upstream(
        _ provider: LiteLLMProvider, _ member: (String) -> YAMLNode?, _ address: YAMLNode?, place: String,
        at position: SourcePosition
    ) -> ImportedUpstream? {
        let written = address?.text.map(ImportedValue.init(liteLLM:))
        guard let url = url(written, provider) else {
            noteLeftOut(
                place, "it has no api_base, and \(provider.stem) none of its own; write one there", position)
            return nil
        }
        if url != written, let literal = written?.literal, literal.contains("@") || literal.contains("?") {
            note(
                "\(place): what api_base holds besides the address: a password goes to api_key, and a query has no "
                    + "counterpart",
                address?.position ?? position)
        }
        var upstream = ImportedUpstream(stem: stem(provider, url), kind: provider.kind, url: url)
        upstream.speaks = provider.speaks
        // A self-hosted server with the prefix `openai` rarely has the newer routes.
        if provider.stem == "openai", written != nil, !isOpenAIs(url) { upstream.speaks = [.chat] }
        let isOwn = written == nil || provider.kind != .openai || isOpenAIs(url)
        upstream.key = key(member("api_key"), provider, isOwn: isOwn)
        if let secret = upstream.key?.literal { secretPositions[secret] = member("api_key")?.position }
        if provider.kind == .azure {
            upstream.apiVersion = member("api_version")?.text.map(ImportedValue.init(liteLLM:))
        }
        var headers: [(String, YAMLNode)] = []
        if let organization = member("organization") { headers.append(("OpenAI-Organization", organization)) }
        for key in ["extra_headers", "headers"] {
            for entry in member(key)?.entries ?? [] { headers.append((entry.key, entry.value)) }
        }
        let hasKey = member("api_key")?.text != nil
        for (name, value) in headers { add(name, value, to: &upstream, hasKey: hasKey, place) }
        return upstream
    }

    /// Adds a header. Headers that the gateway sets itself are noted, except for a key in its usual place.
    private mutating func add(
        _ name: String, _ value: YAMLNode, to upstream: inout ImportedUpstream, hasKey: Bool, _ place: String
    ) {
        guard let text = value.text else { return }
        let scheme = "Bearer "
        if name.lowercasedASCII == "authorization", text.hasPrefix(scheme), !hasKey {
            let key = String(text.dropFirst(scheme.count))
            upstream.key = .literal(key)
            secretPositions[key] = value.position
            return
        }
        let header = ImportedUpstream.Header(name: name, value: ImportedValue(liteLLM: text))
        do throws(InvalidValue) {
            try HeaderConfiguration.checkName(name)
            if let literal = header.value.literal { _ = try HeaderConfiguration.checkValue(literal) }
            let isNew = !upstream.headers.contains { $0.name.lowercasedASCII == name.lowercasedASCII }
            guard isNew else { throw InvalidValue("it is there twice") }
        } catch {
            return note("\(place): the header \(quoted(name)): \(error.message)", value.position)
        }
        upstream.headers.append(header)
        secretPositions[text] = value.position
    }

    private func isOpenAIs(_ url: ImportedValue) -> Bool { url.literal?.hasPrefix("https://api.openai.com/") == true }

    private func key(_ node: YAMLNode?, _ provider: LiteLLMProvider, isOwn: Bool) -> ImportedValue? {
        guard let text = node?.text else { return isOwn ? provider.keyVariable.map(ImportedValue.variable) : nil }
        if LiteLLMReader.placeholders.contains(text.lowercasedASCII) { return nil }
        return ImportedValue(liteLLM: text)
    }

    /// Returns the base URL in the gateway's form; nil if there is none.
    private func url(_ written: ImportedValue?, _ provider: LiteLLMProvider) -> ImportedValue? {
        guard let written else { return provider.url.map(ImportedValue.literal) }
        guard case .literal(var text) = written else { return written }
        // The text must contain neither a password nor a query.
        text = LiteLLMReader.withoutCredentials(text)
        if let query = text.firstIndex(where: { $0 == "?" || $0 == "#" }) { text = String(text[..<query]) }
        while text.hasSuffix("/") { text.removeLast() }
        for ending in ["/chat/completions", "/completions", "/embeddings", "/messages"] where text.hasSuffix(ending) {
            text.removeLast(ending.count)
        }
        // A server that listens on all addresses is reachable here.
        text = text.replacing("://0.0.0.0", with: "://127.0.0.1")
        if provider.stem == "ollama", !text.hasSuffix("/v1") { text += "/v1" }
        return .literal(text)
    }

    /// Returns a URL without name and password. An `@` in the path does not end them.
    private static func withoutCredentials(_ text: String) -> String {
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        let rest = text[start...]
        let authority = rest.prefix { !"/?#".contains($0) }
        var end = authority.lastIndex(of: "@")
        // If the text after the colon is not a port, it begins an unencoded password.
        if end == nil, !authority.hasSuffix("]"), let colon = authority.lastIndex(of: ":"),
            !authority[authority.index(after: colon)...].utf8.allSatisfy(ASCII.isDigit)
        {
            end = rest.lastIndex(of: "@")
        }
        guard let end else { return text }
        return String(text[..<start] + text[text.index(after: end)...])
    }

    /// Returns the beginning of an upstream's name, which distinguishes upstreams of one provider.
    private func stem(_ provider: LiteLLMProvider, _ url: ImportedValue) -> String {
        guard let text = url.literal, text != provider.url,
            let parsed = try? UpstreamURL(parsing: text, allowingPlainHTTP: true), !parsed.isLoopback
        else { return provider.stem }
        let label = parsed.host.split(separator: ".").first.map(String.init) ?? ""
        let isWord = !label.isEmpty && label.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D }
        guard isWord, label.utf8.contains(where: ASCII.isLetter), label != "api" else { return provider.stem }
        return label.hasPrefix(provider.stem) ? String(label.prefix(40)) : "\(provider.stem)-\(label.prefix(40))"
    }
}
