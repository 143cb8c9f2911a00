package import HeadgateHTTP
package import HeadgatePrimitives

/// Keeps a request's outcome from its observers while its answer may go on without its client. Loop-confined.
///
/// They hear of it once, when both the client and the answer are done.
package final class HeldOutcome {
    /// What became of an answer after its client had left, for the log.
    package enum Disconnect: String {
        /// It went on to its end for other requests, which were waiting for it.
        case shared
        /// Read to its end.
        case drained
        /// Not read further than ``Drain`` does.
        case drainLimit = "drain_limit"
        /// A stream that went on to its end.
        case detached
        /// Nobody came back in time, or somebody stopped it.
        case stopped
        /// Nobody read it, and it did not fit its buffer.
        case bufferFull = "buffer_full"
        /// The upstream broke off, or the gateway is shutting down.
        case broken
    }

    private let metadata: ServerRequestMetadata
    private let disconnects: Locked<Disconnects>
    private var number: Int?
    private var isOver = false

    /// - Parameter end: ends the answer; called on the loop of the request, when the process ends.
    package init(_ metadata: ServerRequestMetadata, _ disconnects: Locked<Disconnects>, end: @escaping () -> Void) {
        self.metadata = metadata
        self.disconnects = disconnects
        metadata.record.hold()
        let wake = metadata.waker(end)
        number = disconnects.withLock { $0.enter(wake) }
    }

    /// The answer is over, or nobody reads on.
    ///
    /// - Parameter disconnect: what is said of it if the client has left.
    package func release(_ disconnect: Disconnect?) {
        guard !isOver else { return }
        isOver = true
        let ender = number.flatMap { number in disconnects.withLock { $0.leave(number) } }
        defer { withExtendedLifetime(ender) {} }
        let record = metadata.record
        if record.isComplete, let disconnect { record.facts.notes[.afterDisconnect] = disconnect.rawValue }
        record.release()
    }
}
