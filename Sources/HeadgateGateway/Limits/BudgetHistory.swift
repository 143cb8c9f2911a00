package import HeadgateConfiguration

/// What budgets want to know of the ledger: what was used in the current window before this process, or before they
/// were configured.
package struct BudgetQuestion: Sendable {
    private let period: BudgetConfiguration.Period
    private let window: BudgetWindow
    /// Milliseconds since 1970.
    private let now: Int64

    /// - Parameter now: milliseconds since 1970; what ends from then on is counted by whoever asks.
    package init(_ period: BudgetConfiguration.Period, at now: Int64) {
        self.period = period
        self.now = now
        window = BudgetWindow(period, at: now / 1000)
    }

    /// Questions about the current window and the next one, which has use if the clock was set back since.
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

    /// - Parameters:
    ///   - rows: the answer, by key.
    ///   - group: that of a key, by its name.
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

    /// Of a gateway that keeps no ledger.
    package var nothing: BudgetHistory { BudgetHistory(period: period, window: window, sums: [:]) }
}

/// What was used in a window before this process, or before a budget was configured.
package struct BudgetHistory: Sendable {
    let period: BudgetConfiguration.Period
    let window: BudgetWindow
    let sums: [LimitSubject: BudgetSum]
}
