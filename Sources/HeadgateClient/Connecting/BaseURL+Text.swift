public import HeadgateHTTP

extension BaseURL {
    /// Parses a base URL in the form that SDKs accept.
    ///
    /// - Parameters:
    ///   - text: A URL such as `https://llm.example.com/v1`. Its path is used unchanged, except for trailing slashes.
    ///   - pathIfNone: Path for a URL without one, beginning with a slash; empty for a server with routes at its root.
    ///     The default is `/v1`, as Headgate and most servers use.
    /// - Throws: ``HeadgateClientError/invalidURL(_:reason:)``. The reason never quotes credentials.
    public init(_ text: String, pathIfNone: String = "/v1") throws {
        func invalid(_ reason: String) -> HeadgateClientError {
            // Text before an @ can be a password.
            .invalidURL(text.contains("@") ? "…" : text, reason: reason)
        }
        let lowercased = text.prefix(8).lowercased()
        let isTLS = lowercased.hasPrefix("https://")
        guard isTLS || lowercased.hasPrefix("http://") else {
            throw invalid("it has to begin with http:// or https://")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw invalid("it holds a character that has to be percent-encoded")
        }
        let rest = text.dropFirst(isTLS ? 8 : 7)
        guard !rest.contains("?"), !rest.contains("#") else { throw invalid("it must have neither query nor fragment") }
        let authority = rest.prefix { $0 != "/" }
        guard !authority.contains("@") else { throw invalid("credentials do not belong into it: use apiKey") }
        guard let (host, port) = BaseURL.split(authority) else { throw invalid("its host or port is malformed") }
        // Without its slash, the path would become part of the host, which receives the key.
        guard pathIfNone.isEmpty || pathIfNone.hasPrefix("/") else {
            throw invalid("pathIfNone has to begin with a slash")
        }
        guard pathIfNone.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw invalid("pathIfNone holds a character that has to be percent-encoded")
        }
        guard !pathIfNone.contains("?"), !pathIfNone.contains("#") else {
            throw invalid("pathIfNone must have neither query nor fragment")
        }
        let path = BaseURL.withoutLastSlashes(rest.dropFirst(authority.count))
        self.init(
            endpoint: isTLS ? .tls(host: host, port: port ?? 443) : .tcp(host: host, port: port ?? 80),
            pathPrefix: path.isEmpty ? BaseURL.withoutLastSlashes(pathIfNone[...]) : path)
    }

    private static func withoutLastSlashes(_ path: Substring) -> String {
        var path = path
        while path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }

    private static func split(_ authority: Substring) -> (host: String, port: UInt16?)? {
        var host = authority
        var port: Substring?
        if authority.hasPrefix("[") {
            guard let close = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<close]
            let tail = authority[authority.index(after: close)...]
            guard tail.isEmpty || tail.hasPrefix(":") else { return nil }
            port = tail.isEmpty ? nil : tail.dropFirst()
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            port = authority[authority.index(after: colon)...]
        }
        guard !host.isEmpty else { return nil }
        guard let port else { return (String(host), nil) }
        guard port.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = UInt16(port), number > 0 else {
            return nil
        }
        return (String(host), number)
    }
}
