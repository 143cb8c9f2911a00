/// How many sends of the last minute were repeated ones, so that retries cannot multiply the load of upstreams that are
/// in trouble. Pure: instants are monotonic nanoseconds.
struct RetryBudget: Sendable {
    /// Repeated sends that every minute has, however few its requests.
    static let least = 3
    /// Seconds.
    private static let window: UInt64 = 60

    private struct Second {
        var requests = 0
        var retries = 0
    }

    /// A ring of the last seconds.
    private var seconds = [Second](repeating: Second(), count: Int(window))
    private var latest: UInt64 = 0
    private var sum = Second()

    /// Counts the first send of a request.
    mutating func noteRequest(at now: UInt64) {
        let index = advance(to: now)
        seconds[index].requests += 1
        sum.requests += 1
    }

    /// Takes a send that is not the first of its request, if the last minute has one left.
    ///
    /// - Parameter percent: of the last minute's requests.
    mutating func take(percent: Int, at now: UInt64) -> Bool {
        let index = advance(to: now)
        guard sum.retries < max(RetryBudget.least, sum.requests * percent / 100) else { return false }
        seconds[index].retries += 1
        sum.retries += 1
        return true
    }

    /// Forgets what is older than a minute.
    ///
    /// - Returns: the index of the current second.
    private mutating func advance(to now: UInt64) -> Int {
        // Loops read the clock before they come here, so that the later instant may come first.
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
