internal import HeadgateConfiguration

/// What one subject has used of its budget in the current window, and what its requests in flight have reserved.
struct BudgetAccount: Sendable {
    let unit: BudgetRule.Unit
    let period: BudgetConfiguration.Period
    private(set) var window: BudgetWindow
    private(set) var spent = 0
    /// Use in other windows, the last visited one last. The clock can be set back to one of them.
    private var others: [(window: BudgetWindow, spent: Int)] = []
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

    private static let mostOthers = 3
    /// Seconds for which a window is remembered after its end, in case the clock is set back.
    private static let remembered: Int64 = 6 * 3600

    /// Switches to the window of an instant: the next one, or any other if the clock was set. Each window keeps its own
    /// use.
    mutating func roll(to now: Int64) {
        guard !window.contains(now) else { return }
        keep(spent, in: window)
        window = BudgetWindow(period, at: now)
        let known = others.first { $0.window == window }
        others.removeAll { $0.window == window }
        (spent, unshared, epoch) = (known?.spent ?? 0, 0, known == nil ? epoch : 0)
        finishReading()
    }

    private mutating func keep(_ spent: Int, in window: BudgetWindow) {
        guard spent > 0 else { return }
        let known = others.first { $0.window == window }?.spent ?? 0
        others.removeAll { $0.window == window }
        others.append((window, max(spent, known)))
        if others.count > BudgetAccount.mostOthers { others.removeFirst() }
    }

    /// Use in the window of an instant.
    func used(at now: Int64) -> Int {
        if window.contains(now) { return spent }
        return others.first { $0.window.contains(now) }?.spent ?? 0
    }

    /// The ledger is asked now: what it tells goes up to this instant.
    mutating func expectHistory() { told = spent }

    /// Adds what was used in its window before, beyond what it has counted itself until then. A later window
    /// has use if the clock was set back since.
    mutating func restore(_ history: BudgetHistory, of subject: LimitSubject) {
        guard history.period == period else { return }
        guard history.window.start <= window.start else {
            return keep(history.sums[subject]?[unit] ?? 0, in: history.window)
        }
        guard let told else { return }
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

    /// Whether nothing of it has to be remembered: nothing was used in its windows, or they are over.
    func isIdle(at now: Int64) -> Bool {
        func isOver(_ window: BudgetWindow) -> Bool { now >= window.end + BudgetAccount.remembered }
        guard reserved == 0, isOver(window) || (spent == 0 && isRead) else { return false }
        return others.allSatisfy { isOver($0.window) }
    }

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
