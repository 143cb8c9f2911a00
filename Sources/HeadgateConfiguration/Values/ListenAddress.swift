/// Where the gateway accepts connections: an IP address or `localhost`, and a port.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// An IPv4 address, an IPv6 address without brackets, or `localhost`.
    package let host: String
    /// 0 lets the system choose a free port.
    package let port: UInt16
    /// Whether only this machine can connect.
    package let isLoopback: Bool

    /// 127.0.0.1:8686.
    package static let standard = ListenAddress(host: .ipv4("127.0.0.1"), port: 8686)

    static let expected = "an address such as 127.0.0.1:8686, \"[::1]:8686\" (in quotes) or localhost:8686"

    /// Names other than `localhost` are refused: what they resolve to may change under a running gateway.
    package init(parsing text: String) throws(InvalidValue) {
        let authority = try Authority(parsing: text[...])
        if case .name(let name) = authority.host, name != "localhost" {
            throw InvalidValue("expected an IP address or localhost as the host, such as 127.0.0.1:8686")
        }
        guard let port = authority.port else {
            throw InvalidValue("expected a port after the host, such as 127.0.0.1:8686")
        }
        self.init(host: authority.host, port: port)
    }

    private init(host: Host, port: UInt16) {
        self.host = host.text
        self.port = port
        isLoopback = host.isLoopback
    }

    /// `host:port`, with brackets around an IPv6 address.
    package var description: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
