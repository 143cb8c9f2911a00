package import HeadgateFaults

/// Rule that selects exchanges for a fault.
package struct FaultRule: Sendable, Hashable {
    /// A public name or a pattern; nil for all.
    package var model: String?
    /// The name of a client key; nil for all.
    package var key: String?
    /// The name of an upstream; nil for all.
    package var upstream: String?
    /// From 1 to 100.
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
    /// Without it no fault is injected, by no rule and no request.
    package var isEnabled: Bool
    /// The first that applies decides.
    package var rules: [FaultRule]

    package init(isEnabled: Bool = false, rules: [FaultRule] = []) {
        self.isEnabled = isEnabled
        self.rules = rules
    }
}
