/// Where a program is to find its gateway.
package struct GatewayAddress: Sendable {
    /// Such as `http://127.0.0.1:8686`: without `/v1`, and without a slash at its end.
    package let url: String
    /// A name or address without brackets.
    package let host: String
    /// What the gateway takes; any word where it takes every key.
    package let key: String

    package init(url: String, host: String, key: String) {
        self.url = url
        self.host = host
        self.key = key
    }

    var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}
