internal import HeadgateConfiguration
internal import HeadgateDialects
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Use of one budget in its current window.
struct BudgetUse: Sendable {
    let subject: LimitSubject
    let rule: BudgetRule
    /// Used units; nil while the use is unknown.
    let used: Int?
    /// End of the window, in seconds since 1970.
    let end: Int64

    /// Use as a fraction of the budget; nil while the use is unknown.
    var share: Double? { used.map { Double($0) / Double(rule.amount) } }

    /// Writes the members of the contract's schema `StatusBudget`, without those that identify the subject.
    func write(_ output: inout JSONMembers) {
        output.append("unit", unit)
        output.append("every", rule.period.rawValue)
        output.append("amount", json: Array(number(rule.amount).utf8))
        output.append("used", json: used.map { Array(number($0).utf8) })
        output.append("until", time: end * 1_000_000_000)
    }

    /// Object of the contract's schema `BudgetUse`.
    var object: JSONObject {
        var object: JSONObject = [
            "unit": .string(unit), "every": .string(rule.period.rawValue), "amount": .number(number(rule.amount)),
        ]
        if let used { object["used"] = .number(number(used)) }
        object["until"] = .string(Timestamp.dateTime(end))
        return object
    }

    private var unit: String { rule.unit == .tokens ? "tokens" : "usd" }

    private func number(_ units: Int) -> String {
        switch rule.unit {
        case .picodollars: DecimalText.text(units, digits: RequestCost.digits)
        case .tokens: String(units)
        }
    }
}

/// Budgets of the configuration. Managed keys are not listed: there can be any number of them.
struct BudgetOverview: Sendable {
    private let all: [LimitRules]
    private let counters: Locked<LimitCounters>

    init(_ keys: ClientKeys, _ policy: LimitPolicy) {
        all = (keys.limits + [policy.overall].compactMap(\.self)).filter { $0.budget != nil }
        counters = policy.counters
    }

    /// Returns the use of all configured budgets.
    ///
    /// - Parameter now: seconds since 1970.
    func uses(at now: Int64) -> [BudgetUse] {
        counters.withLock { counters in all.compactMap { counters.budgetUse(of: $0.subject, $0.budget, at: now) } }
    }

    /// Returns the use of one configured or managed key; nil without a budget.
    ///
    /// - Parameter now: seconds since 1970.
    func use(of key: KeyConfiguration, at now: Int64) -> BudgetUse? {
        guard let budget = key.budget else { return nil }
        let subject = LimitSubject(kind: .key, name: key.name)
        return counters.withLock { $0.budgetUse(of: subject, BudgetRule(budget), at: now) }
    }
}
