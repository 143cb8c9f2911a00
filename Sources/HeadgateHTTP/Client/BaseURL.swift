/// URL of an upstream, parsed and checked once.
public struct BaseURL: Hashable, Sendable {
    /// Endpoint of connections.
    public enum Endpoint: Hashable, Sendable {
        /// A host name or IP address (without brackets) and a port.
        case tcp(host: String, port: UInt16)
        case tls(host: String, port: UInt16)
        case unix(path: String)
    }

    /// Endpoint of the connections.
    public let endpoint: Endpoint
    /// Prefix of every operation's path, such as `/v1`, without a trailing slash.
    public let pathPrefix: String

    /// - Parameter pathPrefix: a prefix without a trailing slash.
    public init(endpoint: Endpoint, pathPrefix: String) {
        self.endpoint = endpoint
        self.pathPrefix = pathPrefix
    }

    /// Value of the `Host` header.
    public var authority: String {
        switch endpoint {
        case .tcp(let host, let port): BaseURL.authority(host, port, default: 80)
        case .tls(let host, let port): BaseURL.authority(host, port, default: 443)
        case .unix: "localhost"
        }
    }

    private static func authority(_ host: String, _ port: UInt16, default standard: UInt16) -> String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == standard ? name : "\(name):\(port)"
    }
}
