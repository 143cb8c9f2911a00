package import HeadgatePrices

/// A key that clients of the gateway present. Only its digest is known.
package struct KeyConfiguration: Sendable, Hashable {
    /// Unique name for the log.
    package var name: String
    /// SHA-256 digest of the key, 32 bytes; unique.
    package var digest: [UInt8]
    /// Public model names and patterns (a prefix and `*`) that the key can use; never empty.
    package var models: [String]
    /// Expiry in Unix seconds, which can be in the past; nil means never.
    package var expires: Int64?
    /// Whether the key also grants access to the gateway's own metrics and status.
    package var isAdmin: Bool
    /// Limits of the key; nil if nothing is limited.
    package var limits: UsageLimits?
    package var budget: BudgetConfiguration?
    /// Name of a configured group; nil for none.
    package var group: String?
    /// Service tiers that the key's requests can select.
    package var tiers = ServiceTiers.all
    /// Handling of requests with unknown prices, if a budget in USD counts them.
    package var unpriced = UnpricedRequests.allow
    /// Priority of the key's requests while they wait for an upstream.
    package var priority = RequestPriority.interactive
    /// Upstreams whose whole API the key can use. An admin key can use all of them.
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

/// Priority of a request that waits for an upstream.
package enum RequestPriority: String, Sendable, CaseIterable {
    /// A person waits for the response.
    case interactive
    /// No one waits for the response. Batch requests get the capacity that interactive requests leave.
    case batch
}
