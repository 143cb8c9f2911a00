internal import HeadgateConfiguration
internal import HeadgateRelay

/// Meter of one subject's recent use and its requests in flight. Pure: instants are monotonic nanoseconds.
struct LimitMeter: Sendable {
    /// Subject of the meter; nil for a vacant meter.
    var subject: LimitSubject?
    /// Number of claims that use the meter.
    var claims = 0
    private(set) var inFlight = 0
    /// Epoch of the shared store that has received this meter's use; 0 for none.
    var epoch: UInt64 = 0
    /// Accounts, one for each unit and period: requests that began before a reload still use the earlier rules.
    private var budgets: [BudgetAccount] = []
    /// Instants at which the whole bursts are available again, by the slots of the rules.
    private var full = InlineArray<16, UInt64>(repeating: 0)

    init(_ subject: LimitSubject) { self.subject = subject }

    /// Returns whether the meter can be removed: no claim uses it, and none of its use counts against a limit any
    /// longer.
    func isIdle(at now: LimitInstant) -> Bool {
        guard claims == 0, inFlight == 0, budgets.allSatisfy({ $0.isIdle(at: now.seconds) }) else { return false }
        let now = now.monotonic
        for slot in full.indices where full[slot] > now { return false }
        return true
    }

    /// Returns the reason of a refusal with the longest wait; nil if the limits allow the claim.
    ///
    /// - Parameter ledgerWorks: whether the ledger stores the use, so that it is known after a restart.
    func refusal(of claim: LimitClaim, at instant: LimitInstant, ledgerWorks: Bool) -> LimitRefusal? {
        let (rules, now) = (claim.rules, instant.monotonic)
        var longest: UInt64 = 0
        var refusal: LimitRefusal?
        if claim.isCounted, !claim.holds, let limit = rules.inFlight, inFlight >= limit {
            refusal = .inFlight(rules.subject, limit)
            longest = LimitRefusal.unknownWait
        }
        for rule in rules.rates {
            guard let units = claim.units(of: rule) else { continue }
            let wait = rule.rate.wait(for: units, at: now, full: full[rule.slot])
            if wait > longest { (longest, refusal) = (wait, .rate(rules.subject, rule, wait: wait)) }
        }
        guard let rule = rules.budget, let budget = account(of: rule) else { return refusal }
        if rule.isStrict, !budget.isRead || !ledgerWorks { return .budgetUnknown(rules.subject, rule) }
        guard let wait = budget.wait(rule, at: instant.realtime), wait > longest else { return refusal }
        return .budget(rules.subject, rule, wait: wait, end: budget.isUsedUp(rule) ? budget.window.end : nil)
    }

    /// Opens the account of a budget, or switches it to the current window.
    mutating func prepare(
        _ rule: BudgetRule, _ histories: [BudgetConfiguration.Period: [BudgetHistory]], at now: Int64
    ) {
        if let place = place(of: rule) {
            budgets[place].roll(to: now)
        } else {
            var account = BudgetAccount(rule, at: now)
            if let subject {
                for history in histories[rule.period] ?? [] { account.restore(history, of: subject) }
            }
            budgets.append(account)
        }
    }

    private func place(of rule: BudgetRule) -> Int? { budgets.firstIndex { $0.isOf(rule) } }

    private func account(of rule: BudgetRule) -> BudgetAccount? { place(of: rule).map { budgets[$0] } }

    /// Units that requests in flight have reserved in all budgets of the subject.
    var reserved: Int { budgets.reduce(0) { $0 + $1.reserved } }

    mutating func restore(_ history: BudgetHistory) {
        guard let subject else { return }
        for place in budgets.indices { budgets[place].restore(history, of: subject) }
    }

    mutating func add(_ history: BudgetHistory) {
        guard let subject else { return }
        for place in budgets.indices { budgets[place].add(history, of: subject) }
    }

    func hasRead(_ rule: BudgetRule) -> Bool { account(of: rule)?.isRead ?? false }

    /// Hands over the use of a budget that the store of several gateways has not received. The account has to be open.
    ///
    /// - Returns: the window, the lower bound of the use (0 if this store has received it), and the use to be added.
    mutating func tell(
        _ rule: BudgetRule, to epoch: UInt64
    ) -> (window: BudgetWindow, seed: Int, unshared: Int) {
        guard let place = place(of: rule) else { preconditionFailure("a budget was not prepared") }
        let told = budgets[place].tell(epoch)
        return (budgets[place].window, told.seed, told.unshared)
    }

    mutating func takeBack(_ units: Int, of rule: BudgetRule) {
        if let place = place(of: rule) { budgets[place].takeBack(units) }
    }

    mutating func share(_ units: Int, of rule: BudgetRule) {
        if let place = place(of: rule) { budgets[place].share(units) }
    }

    mutating func learn(_ budget: CounterAnswer.Budget, of rule: BudgetRule) {
        if let place = place(of: rule) { budgets[place].learn(budget.spent, since: budget.start) }
    }

    mutating func expectHistory() {
        for place in budgets.indices { budgets[place].expectHistory() }
    }

    mutating func take(_ claim: LimitClaim, at now: UInt64) {
        for rule in claim.rules.rates { add(claim.takenUnits(of: rule), to: rule, at: now) }
        if let rule = claim.rules.budget, let units = claim.reserved(of: rule.unit), let place = place(of: rule) {
            budgets[place].reserve(units)
        }
        if claim.isCounted, !claim.holds { inFlight += 1 }
    }

    /// Releases the in-flight slot of a request.
    mutating func land() { inFlight -= 1 }

    /// Replaces the reserve of a request by its actual use, and releases its in-flight slot if it still holds one.
    mutating func settle(_ claim: LimitClaim, _ use: RequestUse, at instant: LimitInstant) {
        if claim.isInFlight { land() }
        guard let reserve = claim.reserve else { return }
        let now = instant.monotonic
        // All accounts count the use, so that it is known if a reload brings a removed budget back.
        for place in budgets.indices {
            let unit = budgets[place].unit
            let isReserved = claim.rules.budget.map(budgets[place].isOf) ?? false
            budgets[place].roll(to: instant.seconds)
            budgets[place].settle(
                isReserved ? claim.reserved(of: unit) ?? 0 : 0, used: use.units(unit, reserved: claim))
        }
        for rule in claim.rules.rates where rule.measure != .requests {
            let used = use.tokens(rule.measure, reserved: reserve)
            add(used.subtractingCapped(claim.takenUnits(of: rule)), to: rule, at: now)
        }
    }

    /// Returns one request to the request rates, because another limit has refused it.
    mutating func giveBackRequest(_ rules: LimitRules, at now: UInt64) {
        for rule in rules.rates where rule.measure == .requests { add(-1, to: rule, at: now) }
    }

    private mutating func add(_ units: Int, to rule: RateRule, at now: UInt64) {
        guard units != 0 else { return }
        full[rule.slot] = rule.rate.full(after: units, at: now, full: full[rule.slot])
    }

    /// Returns the used units of a budget; nil if the meter has no account for it.
    func used(of rule: BudgetRule, at now: Int64) -> Int? {
        account(of: rule)?.used(at: now)
    }

    /// Adds the subject's levels by these rules.
    func tell(_ rules: LimitRules, in levels: inout LimitLevels, at now: LimitInstant) {
        for rule in rules.rates { levels.add(level(of: rule, at: now.monotonic), of: rule.measure) }
        if let rule = rules.budget, let used = used(of: rule, at: now.seconds) {
            levels.add(budgetUsed: Double(used) / Double(rule.amount))
        }
    }

    func level(of rule: RateRule, at now: UInt64) -> LimitLevel {
        let full = full[rule.slot]
        return LimitLevel(
            limit: rule.limit.count, burst: rule.burst, remaining: rule.rate.remaining(at: now, full: full),
            reset: max(full, now) - now)
    }
}

extension Int {
    fileprivate func subtractingCapped(_ other: Int) -> Int {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? .max : difference
    }
}
