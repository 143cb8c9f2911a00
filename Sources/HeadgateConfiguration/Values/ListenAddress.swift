internal import HeadgatePrimitives

/// Address of a listener: an IP address or `localhost` and a port, or a Unix socket.
package enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// An IPv4 address, an IPv6 address without brackets, or `localhost`. With port 0, the system chooses a free port.
    case tcp(host: String, port: UInt16)
    /// An absolute path of at most 107 bytes.
    case unix(path: String)

    /// The default address, 127.0.0.1:8686.
    package static let standard = ListenAddress.tcp(host: "127.0.0.1", port: 8686)

    static let expected =
        "an address such as 127.0.0.1:8686, \"[::1]:8686\" (in quotes), localhost:8686, a port of this machine such as "
        + "8686, or unix:/run/headgate.sock"

    /// Parses an address. A port without a host is on 127.0.0.1, so that only an explicit address opens the gateway to
    /// the network. Names other than `localhost` are rejected, because their addresses can change while the gateway
    /// runs.
    package init(parsing text: String) throws(InvalidValue) {
        if text.hasPrefix("unix:") {
            self = .unix(path: try SocketPath.check(text.dropFirst("unix:".count)))
            return
        }
        let portAlone = text.hasPrefix(":") ? text.dropFirst() : text[...]
        if !portAlone.isEmpty, portAlone.utf8.allSatisfy(ASCII.isDigit) {
            self = .tcp(host: "127.0.0.1", port: try Authority.port(portAlone))
            return
        }
        let authority = try Authority(parsing: text[...])
        if case .name(let name) = authority.host, name != "localhost" {
            throw InvalidValue("expected an IP address or localhost as the host, such as 127.0.0.1:8686")
        }
        guard let port = authority.port else {
            throw InvalidValue("expected a port after the host, such as 127.0.0.1:8686")
        }
        self = .tcp(host: authority.host.text, port: port)
    }

    /// Whether only this machine can connect.
    package var isLoopback: Bool {
        switch self {
        case .tcp(let host, _): host == "localhost" || host.hasPrefix("127.") || host == "::1"
        case .unix: true
        }
    }

    package var port: UInt16? {
        if case .tcp(_, let port) = self { port } else { nil }
    }

    var standardAuthentication: ListenerConfiguration.Authentication {
        if case .unix = self { .peer } else { .key }
    }

    /// The address as a configuration writes it: `host:port` with brackets around an IPv6 address, or `unix:/path`.
    package var description: String {
        switch self {
        case .tcp(let host, let port):
            host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}

/// The path of a Unix socket.
enum SocketPath {
    static func check(_ path: Substring) throws(InvalidValue) -> String {
        guard path.hasPrefix("/"), !path.hasPrefix("//"), !path.hasSuffix("/") else {
            throw InvalidValue("the socket needs an absolute path with one slash in front: write unix:/run/llm.sock")
        }
        // `sun_path` has 108 bytes, including its terminating NUL (unix(7)).
        guard path.utf8.count <= 107 else {
            throw InvalidValue("the path of a Unix socket has at most 107 bytes: use a shorter one")
        }
        guard !path.utf8.contains(0) else { throw InvalidValue("the path of the socket holds a NUL byte: remove it") }
        return String(path)
    }
}
