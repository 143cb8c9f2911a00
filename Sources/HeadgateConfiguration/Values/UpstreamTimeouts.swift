/// How long to wait for an upstream; each from 1 ms to 24 h.
package struct UpstreamTimeouts: Sendable, Hashable {
    /// From the start of a connection attempt until the connection can be used, TLS included.
    package var connect: Duration
    /// From the request's last byte until the first byte of the answer.
    package var firstByte: Duration
    /// The longest pause between two pieces of progress of an answer.
    package var silence: Duration
    /// Until the first content of a stream; nil without a limit of its own.
    package var firstContent: Duration?

    package init(
        connect: Duration = .seconds(5), firstByte: Duration = .seconds(120), silence: Duration = .seconds(120),
        firstContent: Duration? = nil
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.silence = silence
        self.firstContent = firstContent
    }
}
