package import HeadgateHTTP
package import HeadgatePrimitives

/// Delay of a request's outcome while its response can continue without the client. Loop-confined.
///
/// The observers get the outcome once, when both the client and the response are done.
package final class HeldOutcome {
    /// Fate of a response after its client disconnected, for the log.
    package enum Disconnect: String {
        /// The response continued to its end for other requests that were waiting for it.
        case shared
        /// The gateway read the response to its end.
        case drained
        /// The gateway stopped reading at the limits of the drain.
        case drainLimit = "drain_limit"
        /// The detached stream continued to its end.
        case detached
        /// No client reconnected in time, or a client stopped the stream.
        case stopped
        /// No client read the stream, and it outgrew its buffer.
        case bufferFull = "buffer_full"
        /// The upstream ended the response early, or the gateway is shutting down.
        case broken
    }

    private let metadata: ServerRequestMetadata
    private let disconnects: Locked<Disconnects>
    private var number: Int?
    private var isOver = false

    /// - Parameter end: ends the response; called on the loop of the request, when the process ends.
    package init(_ metadata: ServerRequestMetadata, _ disconnects: Locked<Disconnects>, end: @escaping () -> Void) {
        self.metadata = metadata
        self.disconnects = disconnects
        metadata.record.hold()
        let wake = metadata.waker(end)
        number = disconnects.withLock { $0.enter(wake) }
    }

    /// Releases the outcome, because the response is over or no longer read.
    ///
    /// - Parameter disconnect: the fate to log if the client has disconnected.
    package func release(_ disconnect: Disconnect?) {
        guard !isOver else { return }
        isOver = true
        let left = number.map { number in disconnects.withLock { $0.leave(number) } }
        defer { withExtendedLifetime(left?.ender) { left?.done?() } }
        let record = metadata.record
        if record.isComplete, let disconnect { record.facts.notes[.afterDisconnect] = disconnect.rawValue }
        record.release()
    }
}
