internal import HeadgateConfiguration
internal import HeadgateRelay

extension LimitSubject {
    /// Name of the subject in stores. Names are unique, because kinds contain no colon.
    var counterName: String { "\(kind.rawValue):\(name)" }
}

extension BudgetRule {
    /// Name of the budget's unit and period in stores.
    var counterName: String {
        let unit =
            switch unit {
            case .picodollars: "p"
            case .tokens: "t"
            }
        return unit + period.rawValue
    }
}
