package import HeadgatePrices

/// A key that clients of the gateway may present, known only by its digest.
package struct KeyConfiguration: Sendable, Hashable {
    /// For the log; unique.
    package var name: String
    /// The SHA-256 of the key, 32 bytes; unique.
    package var digest: [UInt8]
    /// The public model names and patterns (a prefix and `*`) that the key may use; never empty.
    package var models: [String]
    /// Unix seconds from which on the key is refused; nil means never. May lie in the past.
    package var expires: Int64?
    /// Whether the key also opens what is about the gateway itself: metrics and status.
    package var isAdmin: Bool
    /// Nil where nothing is limited.
    package var limits: UsageLimits?
    package var budget: BudgetConfiguration?
    /// The name of a configured group.
    package var group: String?
    /// Service tiers that its requests may select.
    package var tiers = ServiceTiers.all
    /// Handling of requests with unknown prices, if a budget in USD counts them.
    package var unpriced = UnpricedRequests.allow
    /// Priority of its requests while they wait for an upstream.
    package var priority = RequestPriority.interactive
    /// Upstreams whose whole API it can reach; an admin key reaches all of them.
    package var passthrough: [String] = []

    package init(
        name: String, digest: [UInt8], models: [String] = ["*"], expires: Int64? = nil, isAdmin: Bool = false,
        limits: UsageLimits? = nil, budget: BudgetConfiguration? = nil, group: String? = nil
    ) {
        self.name = name
        self.digest = digest
        self.models = models
        self.expires = expires
        self.isAdmin = isAdmin
        self.limits = limits
        self.budget = budget
        self.group = group
    }
}

/// Handling of requests whose price is unknown.
package enum UnpricedRequests: String, Sendable, CaseIterable {
    case allow
    case refuse
}

/// Place of a request among those that wait for an upstream.
package enum RequestPriority: String, Sendable, CaseIterable {
    /// A person waits for the response.
    case interactive
    /// It gets what interactive requests leave.
    case batch
}
