internal import HeadgateRelay

/// Remaining units of a rate.
struct LimitLevel: Sendable {
    let limit: Int
    let burst: Int
    let remaining: Int
    /// Nanoseconds until the whole burst is available again.
    let reset: UInt64

    /// Remaining fraction of the burst.
    fileprivate var share: Double { Double(remaining) / Double(burst) }
}

/// Levels of a request's limits: for each measure, the rate with the smallest share left.
struct LimitLevels: Sendable {
    private var tightest = InlineArray<4, LimitLevel?>(repeating: nil)

    /// Percentage used of the budget with the least left; above 100 if the budget was exceeded.
    private(set) var budgetUsed = 0

    /// Whether responses report the use of the budget.
    var isWarning: Bool { budgetUsed >= LimitFields.warningFrom }

    mutating func add(budgetUsed share: Double) { budgetUsed = max(budgetUsed, Int(min(share, 1e6) * 100)) }

    subscript(measure: LimitMeasure) -> LimitLevel? { tightest[measure.index] }

    mutating func add(_ level: LimitLevel, of measure: LimitMeasure) {
        if let known = tightest[measure.index], known.share <= level.share { return }
        tightest[measure.index] = level
    }
}
