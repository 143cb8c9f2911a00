/// An HTTP proxy that an upstream is reached through, by `CONNECT`.
package struct ProxyConfiguration: Sendable, Equatable {
    /// A name or IP address, lower case, without brackets.
    package var host: String
    package var port: UInt16
    /// `user:password`, for basic authentication.
    package var credential: Secret?

    package init(host: String, port: UInt16, credential: Secret? = nil) {
        self.host = host
        self.port = port
        self.credential = credential
    }
}
