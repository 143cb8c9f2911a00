internal import HeadgateHTTP

/// Silence deadline of an upstream that makes no progress. Pure: instants are passed in, in nanoseconds.
///
/// Bytes of an incomplete event stop the clock without resetting it: an event that turns out to be no progress neither
/// extends the wait nor uses it up. The whole limit applies between two such bytes.
struct SilenceClock {
    private let limit: UInt64
    /// Time waited until the clock was last stopped.
    private var waited: UInt64 = 0
    /// Start of the current run; nil while it is paused.
    private var runningSince: UInt64?
    private var isUnderWay = false
    private var isPaused = false

    init(limit: UInt64) { self.limit = limit }

    /// - Returns: the new deadline; nil to leave it unchanged.
    mutating func note(_ progress: BodyProgress, at now: UInt64) -> UInt64? {
        switch progress {
        case .content:
            waited = 0
            isUnderWay = false
            runningSince = isPaused ? nil : now
            return isPaused ? nil : now + limit
        case .underWay:
            stop(at: now)
            isUnderWay = true
            return isPaused ? nil : now + limit
        case .nothing:
            guard isUnderWay else { return nil }
            isUnderWay = false
            return isPaused ? nil : run(from: now)
        }
    }

    /// Stops the clock because the consumer has paused. There is no deadline until ``resume(at:)``.
    mutating func pause(at now: UInt64) {
        stop(at: now)
        isPaused = true
    }

    /// - Returns: the new deadline.
    mutating func resume(at now: UInt64) -> UInt64 {
        isPaused = false
        return isUnderWay ? now + limit : run(from: now)
    }

    private mutating func stop(at now: UInt64) {
        if let runningSince { waited += now - runningSince }
        runningSince = nil
    }

    private mutating func run(from now: UInt64) -> UInt64 {
        let start = runningSince ?? now
        runningSince = start
        return start + limit - min(waited, limit)
    }
}
