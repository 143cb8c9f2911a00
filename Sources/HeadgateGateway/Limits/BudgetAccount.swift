internal import HeadgateConfiguration
internal import HeadgateRelay

/// Account of one subject's budget: its use in the current window, and the reserves of its requests in flight.
struct BudgetAccount: Sendable {
    let unit: BudgetRule.Unit
    let period: BudgetConfiguration.Period
    private(set) var window: BudgetWindow
    private(set) var spent = 0
    /// Use in other windows, the most recently visited one last. The clock can be set back to one of them.
    private var others: [(window: BudgetWindow, spent: Int)] = []
    private(set) var reserved = 0
    /// Whether the use before the account was opened is known.
    private(set) var isRead = false
    /// Part of ``spent`` that the expected history also contains; nil if no history is expected.
    private var told: Int? = 0
    /// Part of ``spent`` that the store of several gateways has not received yet.
    private var unshared = 0
    /// Epoch of the store that has received the rest; 0 for none.
    private var epoch: UInt64 = 0

    /// - Parameter now: seconds since 1970.
    init(_ rule: BudgetRule, at now: Int64) {
        unit = rule.unit
        period = rule.period
        window = BudgetWindow(rule.period, at: now)
    }

    /// Returns whether the account has the unit and the period of a rule; amounts can differ.
    func isOf(_ rule: BudgetRule) -> Bool { unit == rule.unit && period == rule.period }

    private static let mostOthers = 3
    /// Seconds for which a window is remembered after its end, in case the clock is set back.
    private static let remembered: Int64 = 6 * 3600

    /// Switches to the window of an instant: the next one, or any other if the clock was set. Each window has its own
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

    /// Returns the use in the window of an instant.
    func used(at now: Int64) -> Int {
        if window.contains(now) { return spent }
        return others.first { $0.window.contains(now) }?.spent ?? 0
    }

    /// Notes that the ledger is being queried: its history will contain everything up to this instant.
    mutating func expectHistory() { told = spent }

    /// Adds the earlier use of the window, without the part that the account had counted itself by then. A later window
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
            // The earlier use belongs to another window.
            finishReading()
        }
    }

    /// Adds use that the ledger has received since its history was read.
    mutating func add(_ history: BudgetHistory, of subject: LimitSubject) {
        guard history.period == period, history.window.start >= window.start, let sum = history.sums[subject]
        else { return }
        roll(to: history.window.start)
        spent = spent.addingCapped(sum[unit])
    }

    private mutating func finishReading() {
        isRead = true
        told = nil
    }

    // MARK: Several gateways

    /// Adds units to be sent to the store later.
    mutating func share(_ units: Int) { unshared = unshared.addingCapped(units) }

    /// Takes back units that did not reach the store, to be sent later.
    mutating func takeBack(_ units: Int) {
        share(units)
        epoch = 0
    }

    /// Hands over the use that the store of an epoch has not received.
    ///
    /// - Returns: the lower bound of the use, 0 if this store has received it, and the use to be added to it.
    mutating func tell(_ epoch: UInt64) -> (seed: Int, unshared: Int) {
        defer { (self.epoch, unshared) = (epoch, 0) }
        return (self.epoch == epoch ? 0 : spent, unshared)
    }

    /// Raises the use to the total of all gateways in a window.
    mutating func learn(_ total: Int, since start: Int64) {
        guard window.start == start, total > spent else { return }
        spent = total
        // The ledger contains this gateway's part of the total.
        if let told { self.told = max(told, total) }
    }

    /// Returns whether the account can be dropped: nothing is reserved, and its windows are over or without use.
    func isIdle(at now: Int64) -> Bool {
        func isOver(_ window: BudgetWindow) -> Bool { now >= window.end + BudgetAccount.remembered }
        guard reserved == 0, isOver(window) || (spent == 0 && isRead) else { return false }
        return others.allSatisfy { isOver($0.window) }
    }

    func isUsedUp(_ rule: BudgetRule) -> Bool { spent >= rule.amount }

    /// Returns the nanoseconds until the budget might admit a request; nil if it admits one now.
    ///
    /// - Parameter now: nanoseconds since 1970.
    func wait(_ rule: BudgetRule, at now: Int64) -> UInt64? {
        guard spent.addingCapped(reserved) >= rule.amount else { return nil }
        guard isUsedUp(rule) else { return LimitRefusal.unknownWait }
        return UInt64(max(1, window.end * 1_000_000_000 - now))
    }

    mutating func reserve(_ units: Int) { reserved = reserved.addingCapped(units) }

    /// Replaces a reserve by the actual use.
    ///
    /// - Parameters:
    ///   - units: reserve of the request.
    ///   - used: actual use.
    mutating func settle(_ units: Int, used: Int) {
        reserved = max(0, reserved - units)
        spent = spent.addingCapped(used)
    }
}
