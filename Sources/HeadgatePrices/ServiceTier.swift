/// A tier of processing that a provider bills at its own prices.
package enum ServiceTier: String, Sendable, CaseIterable {
    case standard = "default"
    case flex
    case priority
    case batch
    /// OpenAI's fastest tier.
    case ultrafast
    /// Anthropic's `speed`.
    case fast
    /// Any tier without known prices.
    case other

    /// The tiers that a configuration can name.
    package static let configurable = allCases.filter { $0 != .other }

    /// Recognizes a tier by its name in requests and responses.
    package init(name: UnsafeRawBufferPointer) {
        switch String(decoding: name, as: UTF8.self) {
        // Servers without tiers repeat the request's value, such as "auto".
        case "default", "standard", "standard_only", "auto", "on_demand", "": self = .standard
        // OpenAI also uses this name for the priority tier.
        case "fast": self = .priority
        case let name: self = ServiceTier(rawValue: name) ?? .other
        }
    }
}

/// A set of service tiers.
package struct ServiceTiers: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package init(_ tier: ServiceTier) {
        rawValue =
            switch tier {
            case .standard: 1
            case .flex: 2
            case .priority: 4
            case .batch: 8
            case .ultrafast: 16
            case .fast: 32
            case .other: 64
            }
    }

    package static let all = ServiceTiers(rawValue: .max)
    package static let standard = ServiceTiers(.standard)
    /// The tiers that apply to requests that select none, because the provider's settings can select another one.
    package static let unselected = ServiceTiers(.standard).union(ServiceTiers(.priority))

    /// The names in the order of the cases.
    package var names: [String] {
        ServiceTier.configurable.filter { contains(ServiceTiers($0)) }.map(\.rawValue)
    }
}
