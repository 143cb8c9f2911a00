/// Names under which the gateway can be addressed, and web pages that can call it.
package struct OriginRules: Sendable, Hashable {
    /// Hosts that a `Host` header can name in addition to the gateway's own addresses.
    package var allowedHosts: [AllowedHost]
    /// Origins of web pages that can call the gateway: `scheme://host` or `scheme://host:port`, in lower case and
    /// without a default port.
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

/// A host that requests can be addressed to.
package struct AllowedHost: Sendable, Hashable {
    package enum Port: Sendable, Hashable {
        /// The port of the request's listener, or the default port of the scheme.
        case own
        case any
        case exactly(UInt16)
    }

    /// Host in lower case, with an IPv6 address in brackets.
    package var host: String
    package var port: Port

    package init(host: String, port: Port) {
        self.host = host
        self.port = port
    }
}

/// `https://host[:port]` or `http://host[:port]`, without a path.
package struct PublicURL: Sendable, Hashable {
    /// The scheme, `https` or `http`.
    package var scheme: String
    /// Host in lower case, with an IPv6 address in brackets. It includes the port only if that is not the scheme's
    /// default.
    package var authority: String
    package var origin: String { "\(scheme)://\(authority)" }

    package init(scheme: String, authority: String) {
        self.scheme = scheme
        self.authority = authority
    }
}

extension AllowedHost {
    static let expected = "a host such as gateway.lan, gateway.lan:8080, \"gateway.lan:*\" or \"[fd00::1]\""

    /// Parses `host`, `host:port` and `host:*`.
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
