package import HeadgateFaults

/// A rule that injects a fault into matching exchanges.
package struct FaultRule: Sendable, Hashable {
    /// Public model name or pattern; nil for all models.
    package var model: String?
    /// Name of a client key; nil for all keys.
    package var key: String?
    /// Name of an upstream; nil for all upstreams.
    package var upstream: String?
    /// Percentage of matching exchanges, from 1 to 100.
    package var percent: Int
    /// Seed of the sequence of decisions; nil for a different one each time.
    package var seed: Int?
    package var fault: Fault

    package init(
        model: String? = nil, key: String? = nil, upstream: String? = nil, percent: Int = 100, seed: Int? = nil,
        fault: Fault
    ) {
        self.model = model
        self.key = key
        self.upstream = upstream
        self.percent = percent
        self.seed = seed
        self.fault = fault
    }
}

package struct FaultInjectionConfiguration: Sendable, Equatable {
    /// Whether rules and requests can inject faults.
    package var isEnabled: Bool
    /// Rules; the first one that matches decides.
    package var rules: [FaultRule]

    package init(isEnabled: Bool = false, rules: [FaultRule] = []) {
        self.isEnabled = isEnabled
        self.rules = rules
    }
}
