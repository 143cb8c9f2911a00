/// What is left of a rate.
struct LimitLevel: Sendable {
    let limit: Int
    let burst: Int
    let remaining: Int
    /// Nanoseconds, until all of it is there again.
    let reset: UInt64

    /// Of the burst.
    fileprivate var share: Double { Double(remaining) / Double(burst) }
}

/// What is left of the limits of a request: of each measure the rate of which least is left.
struct LimitLevels: Sendable {
    private var tightest = InlineArray<4, LimitLevel?>(repeating: nil)

    /// Of the budget of which least is left: percent, above 100 where more was used.
    private(set) var budgetUsed = 0

    /// Whether that is said.
    var isWarning: Bool { budgetUsed >= LimitFields.warningFrom }

    mutating func add(budgetUsed share: Double) { budgetUsed = max(budgetUsed, Int(min(share, 1e6) * 100)) }

    subscript(measure: LimitMeasure) -> LimitLevel? { tightest[measure.index] }

    mutating func add(_ level: LimitLevel, of measure: LimitMeasure) {
        if let known = tightest[measure.index], known.share <= level.share { return }
        tightest[measure.index] = level
    }
}
