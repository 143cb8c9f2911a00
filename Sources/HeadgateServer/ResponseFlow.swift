/// How a response goes out: when its source is held back, and when the client takes too little of it. Pure; instants
/// are monotonic nanoseconds.
struct ResponseFlow {
    /// The most that ever waited for the client.
    private(set) var mostQueued = 0
    private var isHeldBack = false
    /// Bytes that the client had received at the last check.
    private var taken = 0
    /// When it was last seen to take something of what waits for it, or when that began to wait.
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
    /// - Parameter taken: bytes of the connection that it has received so far.
    mutating func beginWaiting(taken: Int, at now: UInt64) {
        self.taken = taken
        progressAt = now
    }

    /// Whether the client has taken nothing for that long. One that takes little by little, however slowly, never
    /// stalls.
    mutating func isStalled(taken: Int, at now: UInt64, timeout: UInt64) -> Bool {
        if taken != self.taken { beginWaiting(taken: taken, at: now) }
        return now - progressAt >= timeout
    }
}
