/// Limits of a key, a group of keys or a model. Each rate applies separately.
package struct UsageLimits: Sendable, Hashable {
    package var requests: [RateLimit]
    /// Maximum burst; nil for as many requests as the rate allows.
    package var burst: Int?
    /// Token rates of prompts and completions together.
    package var tokens: [RateLimit]
    package var inputTokens: [RateLimit]
    package var outputTokens: [RateLimit]
    /// Maximum number of requests in flight; nil without a limit.
    package var inFlight: Int?

    package init(
        requests: [RateLimit] = [], burst: Int? = nil, tokens: [RateLimit] = [], inputTokens: [RateLimit] = [],
        outputTokens: [RateLimit] = [], inFlight: Int? = nil
    ) {
        self.requests = requests
        self.burst = burst
        self.tokens = tokens
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.inFlight = inFlight
    }

    package var isEmpty: Bool {
        requests.isEmpty && tokens.isEmpty && inputTokens.isEmpty && outputTokens.isEmpty && inFlight == nil
    }
}

/// Keys that share limits and a budget.
package struct GroupConfiguration: Sendable, Hashable {
    /// Unique name.
    package var name: String
    /// Limits of the group; nil if nothing is limited.
    package var limits: UsageLimits?
    package var budget: BudgetConfiguration?

    package init(name: String, limits: UsageLimits? = nil, budget: BudgetConfiguration? = nil) {
        self.name = name
        self.limits = limits
        self.budget = budget
    }
}
