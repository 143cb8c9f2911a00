package import HeadgateConfiguration

/// Which failures of an attempt are worth another one, how many there may be, and how long they wait.
package struct RetryRules: Sendable {
    /// All sends of one request, the first included.
    package var attempts = 1
    /// Nanoseconds: the upper bound of the first wait, doubled with each further one.
    package var backoff: UInt64 = 200_000_000
    /// Nanoseconds. A longer wait that an upstream asks for is not waited.
    package var maximumBackoff: UInt64 = 5_000_000_000
    /// Of the last minute's requests.
    package var budgetPercent = 10
    package var faults = RetryableFault.standard

    /// What may follow a failure, by the rules and by what the upstream itself wishes.
    ///
    /// - Parameter wish: the upstream's `x-should-retry`.
    func decision(on cause: GatewayError.Cause, wish: Bool? = nil) -> RetryDecision {
        let consequences = cause.consequences
        let decision = consequences.retry
        // Another key or target is another account, or another place: no matter what is configured for faults.
        guard case .sameTarget = decision else { return wish == true && cause.isRetriedOnWish ? .sameTarget : decision }
        guard consequences.faults.contains(where: faults.contains) else {
            return cause == .upstreamStatus(429) ? .nextTarget : .never
        }
        return wish == false ? .nextTarget : .sameTarget
    }

    /// How long to wait before a target is tried again: full jitter, so that clients that failed together do not
    /// return together.
    ///
    /// - Parameters:
    ///   - retry: the number of the wait, from 0.
    ///   - random: from 0 to 1.
    /// - Returns: nanoseconds.
    package func wait(before retry: Int, random: Double) -> UInt64 {
        let bound = min(Double(maximumBackoff), Double(backoff) * Double(1 << UInt64(min(retry, 30))))
        return UInt64(bound * random)
    }
}

extension GatewayError.Cause {
    /// Whether an upstream that wishes for another try of this gets it. What the request itself is refused for stays
    /// refused.
    fileprivate var isRetriedOnWish: Bool {
        if case .upstreamStatus(let status) = self { return status >= 402 }
        return false
    }
}
