package import HeadgateConfiguration

/// The rules for retries: which failures of an attempt are retried, how often, and after which wait.
package struct RetryRules: Sendable {
    /// Maximum attempts of one request, including the first.
    package var attempts = 1
    /// Upper bound of the first wait, in nanoseconds. It doubles with each further wait.
    package var backoff: UInt64 = 200_000_000
    /// Upper bound of every wait, in nanoseconds. The gateway never waits longer, even if an upstream requests it.
    package var maximumBackoff: UInt64 = 5_000_000_000
    /// Maximum retries, as a percentage of the last minute's requests.
    package var budgetPercent = 10
    package var faults = RetryableFault.standard

    /// Decides whether and where a failed attempt is retried, from the rules and from the upstream's own wish.
    ///
    /// - Parameter wish: the value of the upstream's `x-should-retry` header; nil if it sent none.
    func decision(on cause: GatewayError.Cause, wish: Bool? = nil) -> RetryDecision {
        let consequences = cause.consequences
        let decision = consequences.retry
        // The configured faults do not apply to retries with another key or target, which use another account or
        // another server.
        guard case .sameTarget = decision else { return wish == true && cause.isRetriedOnWish ? .sameTarget : decision }
        guard consequences.faults.contains(where: faults.contains) else {
            return cause == .upstreamStatus(429) ? .nextTarget : .never
        }
        return wish == false ? .nextTarget : .sameTarget
    }

    /// Returns how long to wait before a target is retried. Full jitter prevents requests that failed together from
    /// being retried together.
    ///
    /// - Parameters:
    ///   - retry: the number of the wait, from 0.
    ///   - random: a random value from 0 to 1.
    /// - Returns: nanoseconds.
    func wait(before retry: Int, random: Double) -> UInt64 {
        let bound = min(Double(maximumBackoff), Double(backoff) * Double(1 << UInt64(min(retry, 30))))
        return UInt64(bound * random)
    }
}

extension GatewayError.Cause {
    /// Whether the failure is retried if the upstream requests it. A refusal of the request itself is final.
    fileprivate var isRetriedOnWish: Bool {
        if case .upstreamStatus(let status) = self { return status >= 402 }
        return false
    }
}
