extension UpstreamURL {
    /// Parses `OLLAMA_HOST` as Ollama's own client does: `host`, `host:port`, `:port`, or a URL. An address on which a
    /// server listens everywhere becomes 127.0.0.1. Ollama's OpenAI-style API is under `/v1`.
    init(parsingOllamaHost text: String) throws(InvalidValue) {
        var rest = text[...]
        var scheme = Scheme.http
        var standardPort: UInt16 = 11434
        for (prefix, prefixScheme, port) in [("http://", Scheme.http, UInt16(80)), ("https://", .https, 443)]
        where text.hasPrefix(prefix) {
            rest = text.dropFirst(prefix.count)
            (scheme, standardPort) = (prefixScheme, port)
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        if rest.hasPrefix(":") { rest = "127.0.0.1" + rest }
        guard !rest.contains("@") else { throw InvalidValue("user and password are refused: remove them") }
        let authority: Authority
        do {
            authority = try Authority(parsing: rest)
        } catch {
            throw InvalidValue("\(error.message); expected a host such as 127.0.0.1:11434")
        }
        let host = ["0.0.0.0": "127.0.0.1", "::": "::1"][authority.host.text] ?? authority.host.text
        guard authority.port != 0 else { throw InvalidValue("the port is not a number from 1 to 65535") }
        self.init(
            scheme: scheme, host: host, port: authority.port ?? standardPort, socketPath: nil, pathPrefix: "/v1")
    }
}
