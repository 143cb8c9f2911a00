/// Tier of processing that a provider bills at its own prices.
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

    /// Tiers that a configuration can name.
    package static let configurable = allCases.filter { $0 != .other }

    /// Recognizes a tier by the name that requests and responses have for it.
    package init(name: UnsafeRawBufferPointer) {
        switch String(decoding: name, as: UTF8.self) {
        // Servers without tiers repeat the request's value, such as "auto".
        case "default", "standard", "standard_only", "auto", "on_demand", "": self = .standard
        // OpenAI's other name for it.
        case "fast": self = .priority
        case let name: self = ServiceTier(rawValue: name) ?? .other
        }
    }
}

/// Set of service tiers.
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
    /// Tiers for requests that select none: the provider's settings can have another one.
    package static let unselected = ServiceTiers(.standard).union(ServiceTiers(.priority))

    /// Names in the order of the cases.
    package var names: [String] {
        ServiceTier.configurable.filter { contains(ServiceTiers($0)) }.map(\.rawValue)
    }
}
