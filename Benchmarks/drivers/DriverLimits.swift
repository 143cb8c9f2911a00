internal import HeadgateConfiguration

/// Limits of the requests of a driver, none of which is reached.
enum DriverLimits {
    case none
    /// Limits of the key: requests and tokens per minute, and a budget in USD.
    case ofKey
    /// Limits of the key and of its group: requests, tokens and requests in flight; and a budget of the key in tokens.
    case ofKeyAndGroup

    private static let team = "team"

    func apply(to key: inout KeyConfiguration) {
        switch self {
        case .none: break
        case .ofKey:
            key.limits = limits(inFlight: nil)
            // Picodollars.
            key.budget = BudgetConfiguration(.usd(1_000_000_000_000_000_000), every: .month)
        case .ofKeyAndGroup:
            key.limits = limits(inFlight: 1000)
            key.budget = BudgetConfiguration(.tokens(1_000_000_000_000), every: .month)
            key.group = DriverLimits.team
        }
    }

    var group: GroupConfiguration { GroupConfiguration(name: DriverLimits.team, limits: limits(inFlight: 1000)) }

    private func limits(inFlight: Int?) -> UsageLimits {
        UsageLimits(
            requests: [RateLimit(1_000_000_000, per: .minute)], tokens: [RateLimit(1_000_000_000_000, per: .minute)],
            inFlight: inFlight)
    }
}
