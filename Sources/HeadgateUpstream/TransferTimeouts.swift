/// Deadlines of an exchange with an upstream, each on the monotonic clock.
package struct TransferTimeouts: Sendable {
    /// Until the connection can be used: name, addresses, proxy and TLS together.
    package var connect: Duration
    /// From the request's first byte to the end of the response's head.
    package var firstByte: Duration
    /// Without progress inside the body.
    package var silence: Duration

    package init(
        connect: Duration = .seconds(5), firstByte: Duration = .seconds(120), silence: Duration = .seconds(120)
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.silence = silence
    }
}
