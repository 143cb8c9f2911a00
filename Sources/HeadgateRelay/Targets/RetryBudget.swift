/// A budget for retries, relative to the requests of the last minute. It prevents retries from multiplying the load on
/// failing upstreams. Pure. Instants are monotonic nanoseconds.
struct RetryBudget: Sendable {
    /// Retries that are allowed in every minute, regardless of the number of requests.
    static let least = 3
    /// Length of the window, in seconds.
    private static let window: UInt64 = 60

    private struct Second {
        var requests = 0
        var retries = 0
    }

    /// Counts of the last seconds, as a ring buffer.
    private var seconds = [Second](repeating: Second(), count: Int(window))
    private var latest: UInt64 = 0
    private var sum = Second()
    private(set) var isClosed = false

    /// Counts the first attempt of a request.
    mutating func noteRequest(at now: UInt64) {
        let index = advance(to: now)
        seconds[index].requests += 1
        sum.requests += 1
    }

    /// Takes a retry from the budget, if one is left in the last minute.
    ///
    /// - Parameter percent: the size of the budget, as a percentage of the last minute's requests.
    /// - Returns: whether the request may be retried.
    mutating func take(percent: Int, at now: UInt64) -> Bool {
        let index = advance(to: now)
        guard !isClosed, sum.retries < max(RetryBudget.least, sum.requests * percent / 100) else { return false }
        seconds[index].retries += 1
        sum.retries += 1
        return true
    }

    /// Allows no further retry.
    mutating func close() { isClosed = true }

    /// Removes the counts that are older than a minute.
    ///
    /// - Returns: the index of the current second.
    private mutating func advance(to now: UInt64) -> Int {
        // Event loops read the clock before they get here, so that a later instant can arrive first.
        let second = max(now / 1_000_000_000, latest)
        for passed in 0..<min(second - latest, RetryBudget.window) {
            let index = Int((second - passed) % RetryBudget.window)
            sum.requests -= seconds[index].requests
            sum.retries -= seconds[index].retries
            seconds[index] = Second()
        }
        latest = second
        return Int(second % RetryBudget.window)
    }
}
