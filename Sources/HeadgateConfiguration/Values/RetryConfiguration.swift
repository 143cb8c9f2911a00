/// How often, when and after what a request is sent again, while its client has seen nothing of an answer.
package struct RetryConfiguration: Sendable, Hashable {
    /// All sends of one request, the first included, from 1 to 10; nil means 2 where the model has several targets or
    /// its upstream several keys, and 1 elsewhere.
    package var attempts: Int?
    /// Before the second send, at most; it doubles with every further one. From 1 ms to 24 h.
    package var backoff: Duration
    /// The most that it grows to; not less than ``backoff``.
    package var maximumBackoff: Duration
    /// How many of all requests, in percent, may be sent again: from 0 to 100.
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

/// When a target that fails is left out for a while.
package struct BreakerConfiguration: Sendable, Hashable {
    /// After so many failures in a row, from 1 to 1000.
    package var failures: Int
    /// For so long, until one request tries it again; from 1 s to 24 h.
    package var cooldown: Duration

    package init(failures: Int = 5, cooldown: Duration = .seconds(30)) {
        self.failures = failures
        self.cooldown = cooldown
    }
}
