/// Flow of a response: when its source is paused, and when the client has stalled. Pure; instants are monotonic
/// nanoseconds.
struct ResponseFlow {
    /// Maximum bytes that have waited for the client.
    private(set) var mostQueued = 0
    private var isHeldBack = false
    /// Bytes that the client had received at the last check.
    private var taken = 0
    /// Time at which the client was last seen to receive waiting bytes, or at which bytes began to wait.
    private var progressAt: UInt64 = 0

    // MARK: Holding back

    /// Notes that more bytes wait for the client.
    ///
    /// - Parameter count: all waiting bytes.
    /// - Returns: whether to pause the source.
    mutating func queued(_ count: Int, highWaterMark: Int) -> Bool {
        mostQueued = max(mostQueued, count)
        guard !isHeldBack, count > highWaterMark else { return false }
        isHeldBack = true
        return true
    }

    /// Notes that fewer bytes wait for the client.
    ///
    /// - Returns: whether to resume the source.
    mutating func drained(to octets: Int, lowWaterMark: Int) -> Bool {
        guard isHeldBack, octets <= lowWaterMark else { return false }
        isHeldBack = false
        return true
    }

    // MARK: The client's progress

    /// Notes that bytes begin to wait for the client.
    ///
    /// - Parameter taken: bytes of the connection that the client has received so far.
    mutating func beginWaiting(taken: Int, at now: UInt64) {
        self.taken = taken
        progressAt = now
    }

    /// Returns whether the client has received nothing for the timeout. A client that receives bytes, however slowly,
    /// never stalls.
    mutating func isStalled(taken: Int, at now: UInt64, timeout: UInt64) -> Bool {
        if taken != self.taken { beginWaiting(taken: taken, at: now) }
        return now - progressAt >= timeout
    }
}
