internal import HeadgatePrimitives

/// An HTTP proxy that connects to an upstream by `CONNECT`.
package struct ProxyConfiguration: Sendable, Equatable {
    /// Name or IP address in lower case, without brackets.
    package var host: String
    package var port: UInt16
    /// `user:password` for basic authentication; nil for none.
    package var credential: Secret?

    package init(host: String, port: UInt16, credential: Secret? = nil) {
        self.host = host
        self.port = port
        self.credential = credential
    }
}

extension ProxyConfiguration {
    static let expected = "a proxy such as http://proxy.lan:3128 or http://user:password@proxy.lan:3128"

    /// The URL without the credential.
    var text: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "http://\(credential == nil ? "" : "\(redactedText)@")\(host):\(port)"
    }

    /// Parses `http://[user:password@]host:port`. User and password can be percent-encoded.
    init(parsing text: String) throws(InvalidValue) {
        guard text.hasPrefix("http://") else { throw InvalidValue("expected \(Self.expected)") }
        guard text.utf8.allSatisfy(ASCII.isVisible) else {
            throw InvalidValue("the URL holds white space or a character outside ASCII: percent-encode it")
        }
        let parts = text.dropFirst("http://".count).split(separator: "@", omittingEmptySubsequences: false)
        guard let last = parts.last, parts.count <= 2 else {
            throw InvalidValue("more than one '@': write %40 for one in a user or password")
        }
        let authority = try Authority(parsing: last)
        guard let port = authority.port, port != 0 else {
            throw InvalidValue("expected a port and nothing after it, such as http://proxy.lan:3128")
        }
        self.init(
            host: authority.host.text, port: port,
            credential: parts.count == 2 ? try Self.credential(parts[0]) : nil)
    }

    /// Returns `user:password` in percent-decoded form (RFC 3986 2.1).
    private static func credential(_ text: Substring) throws(InvalidValue) -> Secret {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw InvalidValue("expected user:password before the '@'; write %3A for a ':' in the password")
        }
        let user = try PercentEncoding.octets(of: parts[0])
        // Basic authentication ends the user at the first colon (RFC 7617 2).
        guard !user.contains(UInt8(ascii: ":")) else { throw InvalidValue("the user holds a ':': no proxy takes one") }
        return Secret(user + [UInt8(ascii: ":")] + (try PercentEncoding.octets(of: parts[1])))
    }
}
