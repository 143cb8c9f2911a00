/// The address of a gateway, as programs use it.
package struct GatewayAddress: Sendable {
    /// The URL, such as `http://127.0.0.1:8686`: without `/v1`, and without a slash at its end.
    package let url: String
    /// The host name or address, without brackets.
    package let host: String
    /// Whether the gateway is on this machine.
    package let isLoopback: Bool
    /// The key for the gateway; any word if it accepts every key.
    package let key: String

    package init(url: String, host: String, isLoopback: Bool, key: String) {
        self.url = url
        self.host = host
        self.isLoopback = isLoopback
        self.key = key
    }
}
