/// Address of an upstream: a host and port, or a Unix socket, and a prefix of all request paths.
///
/// Plain HTTP is accepted only for loopback hosts, unless it is explicitly allowed. Elsewhere, the key and the prompts
/// would be sent unencrypted.
package struct UpstreamURL: Sendable, Hashable {
    package enum Scheme: String, Sendable {
        case http
        case https
        case unix
    }

    package let scheme: Scheme
    /// Host in lower case, with an IPv6 address without brackets; `localhost` for a Unix socket.
    package let host: String
    /// Port; 0 for a Unix socket, and never otherwise.
    package let port: UInt16
    /// Absolute path of at most 107 bytes; nil unless the scheme is ``Scheme/unix``.
    package let socketPath: String?
    /// Path prefix. It is empty, or begins with `/` and does not end with one.
    package let pathPrefix: String

    static let expected = "a URL such as https://api.openai.com/v1, http://127.0.0.1:8080/v1 or unix:/run/llm.sock"

    /// Default URL of OpenAI's libraries.
    static let openAI = UpstreamURL(
        scheme: .https, host: "api.openai.com", port: 443, socketPath: nil, pathPrefix: "/v1")

    /// Default URL of Anthropic's libraries, with the version that they put before every path.
    static let anthropic = UpstreamURL(
        scheme: .https, host: "api.anthropic.com", port: 443, socketPath: nil, pathPrefix: "/v1")

    /// Whether the address is on this machine.
    package var isLoopback: Bool {
        // Names such as 127.0.0.1.example.com are not addresses.
        scheme == .unix || host == "::1" || (try? Host(parsing: host[...]))?.isLoopback == true
    }

    func with(pathPrefix: String) -> UpstreamURL {
        UpstreamURL(scheme: scheme, host: host, port: port, socketPath: socketPath, pathPrefix: pathPrefix)
    }
}

extension UpstreamURL: CustomStringConvertible {
    /// The URL as a configuration writes it, without the scheme's default port.
    package var description: String {
        if let socketPath { return "unix:\(socketPath):\(pathPrefix.isEmpty ? "/" : pathPrefix)" }
        let host = host.contains(":") ? "[\(host)]" : host
        let standardPort: UInt16 = scheme == .https ? 443 : 80
        return "\(scheme.rawValue)://\(host)\(port == standardPort ? "" : ":\(port)")\(pathPrefix)"
    }
}
