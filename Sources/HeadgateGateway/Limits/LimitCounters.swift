internal import HeadgateConfiguration
internal import HeadgateRelay
internal import Synchronization

/// Instant on both clocks, in nanoseconds.
struct LimitInstant: Sendable {
    var monotonic: UInt64
    /// Nanoseconds since 1970.
    var realtime: Int64

    /// Seconds since 1970.
    var seconds: Int64 { realtime / 1_000_000_000 }
}

/// Counters of the use and the requests in flight of keys, groups and models. Pure.
///
/// Subjects appear and disappear at run time, as keys do. Each new subject checks two meters and removes the idle ones.
/// There are therefore never many more meters than subjects in use, and no call becomes slower with their number.
package struct LimitCounters: Sendable {
    var meters: [LimitMeter] = []
    private(set) var places: [LimitSubject: Int] = [:]
    private var vacant: [Int] = []
    /// Index of the meter that was last checked for idleness.
    private var hand = 0
    private(set) var histories: [BudgetConfiguration.Period: [BudgetHistory]] = [:]
    /// Offset from the monotonic clock to the real-time clock in nanoseconds, at the latest request.
    private var epoch: Int64 = 0

    package init() {}

    /// Takes all claims of a request, or nothing more than before.
    ///
    /// - Parameters:
    ///   - claims: claims on different subjects. A taken claim holds until it is settled.
    ///   - ledgerWorks: whether the ledger stores the use, so that it is known after a restart.
    ///   - isAdmitted: whether a shared store has admitted the request, so that nothing is refused here.
    /// - Returns: the reason with the longest wait; nil if the request is admitted.
    @discardableResult
    mutating func take(
        _ claims: inout [LimitClaim], at now: LimitInstant, ledgerWorks: Bool, isAdmitted: Bool = false
    ) -> LimitRefusal? {
        epoch = now.realtime &- Int64(truncatingIfNeeded: now.monotonic)
        var refusal: LimitRefusal?
        for index in claims.indices {
            let found = look(at: &claims[index], now, ledgerWorks: ledgerWorks)
            guard !isAdmitted, let found else { continue }
            if refusal.map({ found.wait > $0.wait }) ?? true { refusal = found }
        }
        for index in claims.indices {
            if refusal == nil {
                hold(&claims[index], at: now.monotonic)
            } else if !claims[index].holds {
                meters[claims[index].place].claims -= 1
            }
        }
        return refusal
    }

    /// Finds the meter of a claim that has none yet, and checks its limits.
    ///
    /// - Returns: the reason of a refusal; nil if the limits allow the claim.
    private mutating func look(
        at claim: inout LimitClaim, _ now: LimitInstant, ledgerWorks: Bool
    ) -> LimitRefusal? {
        if !claim.holds {
            claim.look(at: place(of: claim.rules, at: now))
            // Counted now, so that looking up the next meter does not remove this one as idle.
            meters[claim.place].claims += 1
        }
        if let rule = claim.rules.budget { meters[claim.place].prepare(rule, histories, at: now.seconds) }
        return meters[claim.place].refusal(of: claim, at: now, ledgerWorks: ledgerWorks)
    }

    private mutating func hold(_ claim: inout LimitClaim, at now: UInt64) {
        meters[claim.place].take(claim, at: now)
        claim.hold()
    }

    /// Releases the in-flight slots of a request; its use is settled later.
    mutating func land(_ claims: inout [LimitClaim]) {
        for index in claims.indices where claims[index].isInFlight {
            meters[claims[index].place].land()
            claims[index].land()
        }
    }

    /// Ends the claims of a request and counts its use.
    mutating func settle(_ claims: [LimitClaim], _ use: RequestUse, at now: UInt64) {
        let now = instant(now)
        for claim in claims where claim.holds {
            meters[claim.place].settle(claim, use, at: now)
            meters[claim.place].claims -= 1
        }
    }

    /// Returns a counted request to the request rates, because it is refused after all. It remains in flight until it
    /// is settled.
    mutating func giveBack(_ claims: [LimitClaim], at now: UInt64) {
        for claim in claims where claim.holds { meters[claim.place].giveBackRequest(claim.rules, at: now) }
    }

    func instant(_ now: UInt64) -> LimitInstant {
        LimitInstant(monotonic: now, realtime: Int64(truncatingIfNeeded: now) &+ epoch)
    }

    // MARK: Budgets

    /// Adds earlier use to the budgets' accounts, including those opened later.
    mutating func restore(_ history: BudgetHistory) {
        histories[history.period, default: []].removeAll { $0.window == history.window }
        histories[history.period, default: []].append(history)
        for place in meters.indices { meters[place].restore(history) }
    }

    /// Adds use that the ledger has received since its histories were read.
    mutating func add(_ history: BudgetHistory) {
        if let place = histories[history.period]?.firstIndex(where: { $0.window == history.window }) {
            // Accounts that are opened later start from the history.
            for (subject, sum) in history.sums {
                histories[history.period]?[place].sums[subject, default: BudgetSum()] += sum
            }
        }
        for place in meters.indices { meters[place].add(history) }
    }

    /// Discards the histories, because the ledger is queried again for the budgets of a new configuration.
    mutating func forgetHistories() {
        histories = [:]
        for place in meters.indices { meters[place].expectHistory() }
    }

    /// Returns the use of a subject's budget; nil without a budget.
    ///
    /// - Parameter now: seconds since 1970.
    func budgetUse(of subject: LimitSubject, _ rule: BudgetRule?, at now: Int64) -> BudgetUse? {
        guard let rule else { return nil }
        var used = places[subject].flatMap { meters[$0].used(of: rule, at: now) }
        if used == nil, let history = histories[rule.period]?.first(where: { $0.window.contains(now) }) {
            used = history.sums[subject]?[rule.unit] ?? 0
        }
        return BudgetUse(subject: subject, rule: rule, used: used, end: BudgetWindow(rule.period, at: now).end)
    }

    /// Returns the use of a budget that the ledger had when it was read; nil before that.
    ///
    /// - Parameter now: seconds since 1970.
    func useBefore(of subject: LimitSubject, _ rule: BudgetRule, at now: Int64) -> Int? {
        let history = histories[rule.period]?.first { $0.window.contains(now) }
        return history.map { $0.sums[subject]?[rule.unit] ?? 0 }
    }

    // MARK: Levels

    /// Returns the levels of the subjects of claims that the preceding call has taken or refused.
    func levels(of claims: [LimitClaim], at now: LimitInstant) -> LimitLevels {
        var levels = LimitLevels()
        for claim in claims { meters[claim.place].tell(claim.rules, in: &levels, at: now) }
        return levels
    }

    mutating func place(of rules: LimitRules, at now: LimitInstant) -> Int {
        let last = rules.lastPlace.load(ordering: .relaxed)
        if meters.indices.contains(last), meters[last].subject == rules.subject { return last }
        let place = place(of: rules.subject, at: now)
        rules.lastPlace.store(place, ordering: .relaxed)
        return place
    }

    private mutating func place(of subject: LimitSubject, at now: LimitInstant) -> Int {
        if let place = places[subject] { return place }
        for _ in 0..<2 { forgetNext(at: now) }
        let place: Int
        if let free = vacant.popLast() {
            place = free
            meters[place] = LimitMeter(subject)
        } else {
            place = meters.count
            meters.append(LimitMeter(subject))
        }
        places[subject] = place
        return place
    }

    /// Checks the next meter, and removes it if it is idle.
    private mutating func forgetNext(at now: LimitInstant) {
        guard !meters.isEmpty else { return }
        hand = hand + 1 < meters.count ? hand + 1 : 0
        guard let subject = meters[hand].subject, meters[hand].isIdle(at: now) else { return }
        places[subject] = nil
        meters[hand].subject = nil
        vacant.append(hand)
    }

    /// Returns the number of a subject's requests in flight.
    func inFlight(of subject: LimitSubject) -> Int { places[subject].map { meters[$0].inFlight } ?? 0 }

    /// Number of subjects with a meter.
    var count: Int { places.count }

    /// Returns whether no subject has requests in flight or use that still counts against a limit.
    func isIdle(at now: UInt64) -> Bool { places.values.allSatisfy { meters[$0].isIdle(at: instant(now)) } }

    /// Returns the budget units that a subject's requests in flight have reserved.
    func reserved(of subject: LimitSubject) -> Int { places[subject].map { meters[$0].reserved } ?? 0 }
}
