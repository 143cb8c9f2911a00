internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Upstream and path of a request that is passed through.
///
/// A path is accepted only if every server reads it in the same way. Otherwise, a path that a proxy before the upstream
/// normalizes could leave the base path.
struct PassthroughTarget: Equatable {
    let upstream: String
    /// Path below the base URL, as the client wrote it; begins with a slash.
    let path: String
    /// Query without credentials and without its question mark; empty if there is none.
    let query: String

    /// - Parameter target: path and query of the request.
    init(_ target: String) throws(GatewayError) {
        let whole = target.dropFirst(PassthroughHandler.prefix.count)
        let path = whole.prefix { $0 != "?" }
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .passthroughPath }
        let segments = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        // A slash at the end is part of some paths.
        let named = segments.last?.isEmpty == true ? segments.dropLast() : segments
        guard named.allSatisfy(PassthroughTarget.isPlain) else { throw .passthroughPath }
        upstream = String(parts[0])
        self.path = "/" + parts[1]
        query = try PassthroughTarget.query(whole.dropFirst(path.count + 1))
    }

    /// Returns whether all servers read a segment in the same way: it contains nothing that a server decodes to a
    /// separator, and is neither empty nor only dots.
    private static func isPlain(_ segment: Substring) -> Bool {
        guard let decoded = PercentEncoding.octets(segment.utf8),
            !decoded.contains(where: { $0 < 0x20 || $0 == 0x7F || "/\\%#?".utf8.contains($0) })
        else { return false }
        // Some servers drop a semicolon and everything after it before they resolve dots.
        return !decoded.prefix { $0 != UInt8(ascii: ";") }.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    /// Query parameters in which clients send credentials, in lower case without separators.
    private static let credentials: Set<String> = [
        "accesstoken", "apikey", "auth", "authkey", "authorization", "authtoken", "bearer", "bearertoken",
        "clientsecret",
        "idtoken", "key", "oauthtoken", "password", "secret", "sessionkey", "sessiontoken", "sig", "signature",
        "subscriptionkey", "token", "xapikey", "xgoogapikey",
    ]

    private static func query(_ text: Substring) throws(GatewayError) -> String {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 }) else { throw .passthroughPath }
        var kept: [Substring] = []
        for item in text.split(separator: "&") {
            // Some servers separate parameters by semicolons.
            var holdsCredential = false
            for part in item.split(separator: ";") {
                guard let name = PercentEncoding.octets(part.prefix { $0 != "=" }.utf8) else {
                    throw .passthroughPath
                }
                let plain = String(decoding: name.filter { !"-_.[] ".utf8.contains($0) }, as: UTF8.self)
                if credentials.contains(plain.lowercasedASCII) { holdsCredential = true }
            }
            if !holdsCredential { kept.append(item) }
        }
        return kept.joined(separator: "&")
    }
}

extension GatewayError {
    static let passthroughPath = GatewayError.invalidRequest(
        400,
        "The path must be /upstream/NAME/PATH without empty or dot segments, backslashes, and encoded separators, so "
            + "that every server reads it in the same way.",
        code: "invalid_path")
}
