/// Under which names the gateway may be addressed, and which web pages may call it.
package struct OriginRules: Sendable, Hashable {
    /// Hosts besides the gateway's own addresses that a `Host` field may name.
    package var allowedHosts: [AllowedHost]
    /// Origins of web pages that may call the gateway: `scheme://host` or `scheme://host:port`, lower case, no default
    /// port.
    package var allowedOrigins: [String]
    /// URL of the gateway for browsers, if a proxy in front of it terminates TLS.
    package var publicURL: PublicURL?

    package init(
        allowedHosts: [AllowedHost] = [], allowedOrigins: [String] = [], publicURL: PublicURL? = nil
    ) {
        self.allowedHosts = allowedHosts
        self.allowedOrigins = allowedOrigins
        self.publicURL = publicURL
    }
}

/// A host that requests may be addressed to.
package struct AllowedHost: Sendable, Hashable {
    package enum Port: Sendable, Hashable {
        /// The port of the listener that the request came in by, or the one that the scheme implies.
        case own
        case any
        case exactly(UInt16)
    }

    /// Lower case; an IPv6 address in brackets.
    package var host: String
    package var port: Port

    package init(host: String, port: Port) {
        self.host = host
        self.port = port
    }
}

/// `https://host[:port]` or `http://host[:port]`, without a path.
package struct PublicURL: Sendable, Hashable {
    /// `https` or `http`.
    package var scheme: String
    /// Lower case, an IPv6 address in brackets, the port only if it is not the scheme's own.
    package var authority: String
    package var origin: String { "\(scheme)://\(authority)" }

    package init(scheme: String, authority: String) {
        self.scheme = scheme
        self.authority = authority
    }
}

extension AllowedHost {
    static let expected = "a host such as gateway.lan, gateway.lan:8080, \"gateway.lan:*\" or \"[fd00::1]\""

    /// Reads `host`, `host:port` and `host:*`.
    init(parsing text: String) throws(InvalidValue) {
        if text.hasSuffix(":*") {
            let authority = try Authority(parsing: text.dropLast(2))
            guard authority.port == nil else { throw InvalidValue("a port and ':*': keep one of them") }
            self.init(host: authority.host.bracketed, port: .any)
            return
        }
        let authority = try Authority(parsing: text[...])
        guard authority.port != 0 else { throw InvalidValue("the port is not a number from 1 to 65535") }
        self.init(host: authority.host.bracketed, port: authority.port.map(Port.exactly) ?? .own)
    }
}

extension Host {
    /// The host as it is written in a URL.
    var bracketed: String {
        if case .ipv6(let address) = self { "[\(address)]" } else { text }
    }
}
