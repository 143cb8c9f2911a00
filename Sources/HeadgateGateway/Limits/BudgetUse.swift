internal import HeadgateConfiguration

/// How far a budget is used.
struct BudgetUse: Sendable {
    let subject: LimitSubject
    let rule: BudgetRule
    /// Units; nil while that is not known.
    let used: Int?
    /// When it starts anew, in seconds since 1970.
    let end: Int64

    /// In parts of it.
    var share: Double? { used.map { Double($0) / Double(rule.amount) } }

    /// Writes the schema `BudgetUse` of the contract, but for whose it is.
    func write(_ output: inout JSONMembers) {
        func number(_ units: Int) -> [UInt8] {
            switch rule.unit {
            case .picodollars: Array(DecimalText.text(units, digits: RequestCost.digits).utf8)
            case .tokens: Array(String(units).utf8)
            }
        }
        output.append("unit", rule.unit == .tokens ? "tokens" : "usd")
        output.append("every", rule.period.rawValue)
        output.append("amount", json: number(rule.amount))
        output.append("used", json: used.map(number))
        output.append("until", time: end * 1_000_000_000)
    }
}

/// The budgets of the configuration. Keys that are managed at run time are not among them: there may be any number.
struct BudgetOverview: Sendable {
    private let all: [LimitRules]
    private let counters: LimitCounters.Guarded

    init(_ keys: ClientKeys, _ policy: LimitPolicy) {
        all = (keys.limits + [policy.overall].compactMap(\.self)).filter { $0.budget != nil }
        counters = policy.counters
    }

    /// - Parameter now: seconds since 1970.
    func uses(at now: Int64) -> [BudgetUse] {
        var uses: [BudgetUse] = []
        counters { counters in uses = all.compactMap { counters.budgetUse(of: $0.subject, $0.budget, at: now) } }
        return uses
    }
}
