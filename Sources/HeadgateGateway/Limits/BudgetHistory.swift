package import HeadgateConfiguration
package import HeadgateRelay

/// Ledger query of the budgets of one period: the use in a window before this process started, or before a budget was
/// configured.
package struct BudgetQuestion: Sendable {
    private let period: BudgetConfiguration.Period
    private let window: BudgetWindow
    /// Milliseconds since 1970.
    private let now: Int64

    /// - Parameter now: milliseconds since 1970; the caller counts requests that end from then on.
    package init(_ period: BudgetConfiguration.Period, at now: Int64) {
        self.period = period
        self.now = now
        window = BudgetWindow(period, at: now / 1000)
    }

    /// Returns queries for the current window and the next one, which has use if the clock was set back since.
    package static func all(_ periods: Set<BudgetConfiguration.Period>, at now: Int64) -> [BudgetQuestion] {
        periods.flatMap { period in
            let current = BudgetQuestion(period, at: now)
            return [current, BudgetQuestion(period, at: current.window.end * 1000)]
        }
    }

    package var usage: UsageQuestion {
        var question = UsageQuestion(by: .key, since: window.start * 1000)
        question.until = now
        question.end = window.end * 1000
        question.isGateways = true
        return question
    }

    /// Sums the use of keys, groups and the gateway.
    ///
    /// - Parameters:
    ///   - rows: result of the query, by key.
    ///   - group: returns the group of a key, given the key's name.
    package func history(_ rows: [UsageRow], group: (String) -> String?) -> BudgetHistory {
        var sums: [LimitSubject: BudgetSum] = [:]
        for row in rows {
            let sum = BudgetSum(
                picodollars: row.cost, tokens: row.promptTokens.addingCapped(row.completionTokens))
            sums[.gateway, default: BudgetSum()] += sum
            sums[LimitSubject(kind: .key, name: row.name), default: BudgetSum()] += sum
            if let group = group(row.name) {
                sums[LimitSubject(kind: .group, name: group), default: BudgetSum()] += sum
            }
        }
        return BudgetHistory(period: period, window: window, sums: sums)
    }

    /// Empty history, for a gateway without a ledger.
    package var nothing: BudgetHistory { BudgetHistory(period: period, window: window, sums: [:]) }
}

/// Use in a window before this process started, or before a budget was configured.
package struct BudgetHistory: Sendable {
    let period: BudgetConfiguration.Period
    let window: BudgetWindow
    var sums: [LimitSubject: BudgetSum]
}
