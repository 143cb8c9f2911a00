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
    /// As it stands in a URL.
    var bracketed: String {
        if case .ipv6(let address) = self { "[\(address)]" } else { text }
    }
}
