internal import HeadgateConfiguration
internal import HeadgateRelay

extension LimitSubject {
    /// What stores call it. Kinds have no colon.
    var counterName: String { "\(kind.rawValue):\(name)" }
}

extension BudgetRule {
    /// What stores call it.
    var counterName: String {
        let unit =
            switch unit {
            case .picodollars: "p"
            case .tokens: "t"
            }
        return unit + period.rawValue
    }
}
