extension UpstreamURL {
    /// Parses `http://`, `https://` and `unix:<path>[:<path prefix>]` strictly. Rejects everything that two parsers
    /// could interpret differently: user-info, backslashes, unusual IP addresses, dot segments, and percent-encoding.
    package init(parsing text: String, allowingPlainHTTP: Bool = false) throws(InvalidValue) {
        try Self.checkBytes(text)
        if text.hasPrefix("unix:") {
            try self.init(parsingUnix: text.dropFirst("unix:".count))
        } else if text.hasPrefix("https://") {
            try self.init(parsingRemote: text.dropFirst("https://".count), scheme: .https, isAllowed: true)
        } else if text.hasPrefix("http://") {
            try self.init(parsingRemote: text.dropFirst("http://".count), scheme: .http, isAllowed: allowingPlainHTTP)
        } else {
            throw InvalidValue("the URL must begin with https://, http:// or unix: (in lower case)")
        }
    }

    private init(parsingRemote rest: Substring, scheme: Scheme, isAllowed: Bool) throws(InvalidValue) {
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        guard !rest[..<end].contains("@") else {
            throw InvalidValue("user and password in the URL are refused: put the key into api_key")
        }
        let authority = try Authority(parsing: rest[..<end])
        guard authority.port != 0 else { throw InvalidValue("the port is not a number from 1 to 65535") }
        guard isAllowed || authority.host.isLoopback else {
            throw InvalidValue(Self.plainHTTPRefusal)
        }
        self.init(
            scheme: scheme, host: authority.host.text, port: authority.port ?? (scheme == .https ? 443 : 80),
            socketPath: nil, pathPrefix: try Self.pathPrefix(rest[end...]))
    }

    static let plainHTTPRefusal =
        "plain http is only for this machine (127.0.0.1, [::1], localhost): write https:// for any other host, "
        + "or allow it with plain_http: true"

    private init(parsingUnix rest: Substring) throws(InvalidValue) {
        let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let path = try SocketPath.check(parts[0])
        guard parts.count == 1 || parts[1].hasPrefix("/") else {
            throw InvalidValue("the path prefix after the socket must begin with '/', such as unix:/run/llm.sock:/v1")
        }
        self.init(
            scheme: .unix, host: "localhost", port: 0, socketPath: path,
            pathPrefix: try Self.pathPrefix(parts.count == 1 ? "/v1" : parts[1]))
    }

    private static func checkBytes(_ text: String) throws(InvalidValue) {
        guard text.utf8.count <= 2048 else { throw InvalidValue("the URL is longer than 2048 bytes") }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): throw InvalidValue("a backslash in the URL: write '/'")
            case UInt8(ascii: "?"): throw InvalidValue("a query ('?') in the URL: remove it")
            case UInt8(ascii: "#"): throw InvalidValue("a fragment ('#') in the URL: remove it")
            case UInt8(ascii: "%"): throw InvalidValue("percent-encoding in the URL: write a path without it")
            case 0x20, 0x09, 0x0A, 0x0D: throw InvalidValue("white space in the URL: remove it")
            case 0x00..<0x20, 0x7F: throw InvalidValue("a control byte in the URL: remove it")
            case 0x80...: throw InvalidValue("a character outside ASCII in the URL: write the host in its xn-- form")
            default: break
            }
        }
    }

    /// Returns the path without its trailing slash.
    private static func pathPrefix(_ path: Substring) throws(InvalidValue) -> String {
        let trimmed = path.hasSuffix("/") ? path.dropLast() : path
        guard !trimmed.isEmpty else { return "" }
        for segment in trimmed.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard !["", ".", ".."].contains(segment) else {
                throw InvalidValue("empty, '.' and '..' segments in the path are refused: write it without them")
            }
            // RFC 3986 3.3 pchar without percent-encoding.
            let isPath = segment.utf8.allSatisfy {
                ASCII.isLetter($0) || ASCII.isDigit($0) || "-._~!$&'()*+,;=:@".utf8.contains($0)
            }
            guard isPath else { throw InvalidValue("the path holds a character that no URL path has: remove it") }
        }
        return String(trimmed)
    }
}
