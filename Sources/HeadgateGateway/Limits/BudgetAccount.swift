internal import HeadgateConfiguration

/// What one subject has used of its budget in the current window, and what its requests in flight have reserved.
struct BudgetAccount: Sendable {
    let unit: BudgetRule.Unit
    let period: BudgetConfiguration.Period
    private(set) var window: BudgetWindow
    private(set) var spent = 0
    private(set) var reserved = 0
    /// Whether it is known what was used before it was opened.
    private(set) var isRead = false
    /// Of what was spent, what a history that is to come tells as well; nil where none is to come.
    private var told: Int? = 0
    /// Of what was spent, what a store that counts for several gateways is still to be told.
    private var unshared = 0
    /// Of the store that was told the rest; 0 for none.
    private var epoch: UInt64 = 0

    /// - Parameter now: seconds since 1970.
    init(_ rule: BudgetRule, at now: Int64) {
        unit = rule.unit
        period = rule.period
        window = BudgetWindow(rule.period, at: now)
    }

    /// Whether it counts what the rule is about, whatever its amount.
    func isOf(_ rule: BudgetRule) -> Bool { unit == rule.unit && period == rule.period }

    /// Begins anew in the next window. A clock that was set back does not bring an old one again.
    mutating func roll(to now: Int64) {
        guard now >= window.end else { return }
        window = BudgetWindow(period, at: now)
        (spent, unshared) = (0, 0)
        finishReading()
    }

    /// The ledger is asked now: what it tells goes up to this instant.
    mutating func expectHistory() { told = spent }

    /// Adds what was used in its window before, beyond what it has counted itself until then.
    mutating func restore(_ history: BudgetHistory, of subject: LimitSubject) {
        guard let told, history.period == period else { return }
        if history.window == window {
            epoch = 0
            spent = spent.addingCapped(max(0, (history.sums[subject]?[unit] ?? 0) - told))
            finishReading()
        } else if window.start >= history.window.end {
            // What was before belongs to another window.
            finishReading()
        }
    }

    private mutating func finishReading() {
        isRead = true
        told = nil
    }

    // MARK: Several gateways

    /// To be told later.
    mutating func share(_ units: Int) { unshared = unshared.addingCapped(units) }

    /// Not told after all.
    mutating func takeBack(_ units: Int) {
        share(units)
        epoch = 0
    }

    /// - Returns: what is used at least, where the store has not been told that, and what was used besides.
    mutating func tell(_ epoch: UInt64) -> (seed: Int, unshared: Int) {
        defer { (self.epoch, unshared) = (epoch, 0) }
        return (self.epoch == epoch ? 0 : spent, unshared)
    }

    /// All gateways together have used so much in a window.
    mutating func learn(_ total: Int, since start: Int64) {
        guard window.start == start, total > spent else { return }
        spent = total
        // The ledger knows this gateway's part of it.
        if let told { self.told = max(told, total) }
    }

    /// Whether nothing of it has to be remembered: nothing was used in its window, or that is over.
    func isIdle(at now: Int64) -> Bool { reserved == 0 && (now >= window.end || (spent == 0 && isRead)) }

    func isUsedUp(_ rule: BudgetRule) -> Bool { spent >= rule.amount }

    /// Nanoseconds until there may be room for a request; nil where there is.
    ///
    /// - Parameter now: nanoseconds since 1970.
    func wait(_ rule: BudgetRule, at now: Int64) -> UInt64? {
        guard spent.addingCapped(reserved) >= rule.amount else { return nil }
        guard isUsedUp(rule) else { return LimitRefusal.unknownWait }
        return UInt64(max(1, window.end * 1_000_000_000 - now))
    }

    mutating func reserve(_ units: Int) { reserved = reserved.addingCapped(units) }

    /// - Parameters:
    ///   - units: what was reserved.
    ///   - used: what it was in the end.
    mutating func settle(_ units: Int, used: Int) {
        reserved = max(0, reserved - units)
        spent = spent.addingCapped(used)
    }
}
