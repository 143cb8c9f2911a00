/// Retries of requests before their client has seen any part of a response.
package struct RetryConfiguration: Sendable, Hashable {
    /// Maximum attempts of a request, including the first, from 1 to 10. Nil means 2 if the model has several targets
    /// or its upstream several keys, and 1 otherwise.
    package var attempts: Int?
    /// Maximum delay before the second attempt, from 1 ms to 24 h. It doubles with every further attempt.
    package var backoff: Duration
    /// Upper bound of the growing delay; not less than ``backoff``.
    package var maximumBackoff: Duration
    /// Retries as a percentage of all requests, from 0 to 100.
    package var budgetPercent: Int
    /// Faults after which a request is retried.
    package var faults: Set<RetryableFault>

    package init(
        attempts: Int? = nil, backoff: Duration = .milliseconds(200), maximumBackoff: Duration = .seconds(5),
        budgetPercent: Int = 10, faults: Set<RetryableFault> = RetryableFault.standard
    ) {
        self.attempts = attempts
        self.backoff = backoff
        self.maximumBackoff = maximumBackoff
        self.budgetPercent = budgetPercent
        self.faults = faults
    }
}

/// Circuit breaker of a target that fails.
package struct BreakerConfiguration: Sendable, Hashable {
    /// Number of consecutive failures that open the breaker, from 1 to 1000.
    package var failures: Int
    /// Time until one request tries the target again, from 1 s to 24 h.
    package var cooldown: Duration

    package init(failures: Int = 5, cooldown: Duration = .seconds(30)) {
        self.failures = failures
        self.cooldown = cooldown
    }
}
