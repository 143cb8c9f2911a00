internal import HeadgateConfiguration
internal import Synchronization

/// An instant by both clocks, in nanoseconds.
struct LimitInstant: Sendable {
    var monotonic: UInt64
    /// Since 1970.
    var realtime: Int64

    /// Since 1970.
    var seconds: Int64 { realtime / 1_000_000_000 }
}

/// What keys, groups and models have used, and how many of their requests are in flight. Pure.
///
/// Subjects come and go at run time, as keys do. Those that use nothing are forgotten, two looks for each that comes:
/// there are never many more meters than subjects in use, and no call takes longer where there are many.
package struct LimitCounters: Sendable {
    var meters: [LimitMeter] = []
    private(set) var places: [LimitSubject: Int] = [:]
    private var vacant: [Int] = []
    /// Of the meter that was looked at last.
    private var hand = 0
    private(set) var histories: [BudgetConfiguration.Period: [BudgetHistory]] = [:]
    /// From the monotonic clock to the other, when somebody came last.
    private var epoch: Int64 = 0

    package init() {}

    /// Takes all that a request needs, or nothing more than before.
    ///
    /// - Parameters:
    ///   - claims: each of another subject. Those that are taken hold until they are settled.
    ///   - ledgerWorks: whether what is used now is known after a restart, too.
    ///   - isAdmitted: whether somebody else has decided, so that nothing is refused.
    /// - Returns: of several reasons that with the longest wait; nil for a request that may go on.
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

    /// Finds the meter of a claim, if it has none yet.
    ///
    /// - Returns: why there is no room; nil where there is.
    private mutating func look(
        at claim: inout LimitClaim, _ now: LimitInstant, ledgerWorks: Bool
    ) -> LimitRefusal? {
        if !claim.holds {
            claim.look(at: place(of: claim.rules, at: now))
            // From here on, so that the next one that is looked up does not have it forgotten.
            meters[claim.place].claims += 1
        }
        if let rule = claim.rules.budget { meters[claim.place].prepare(rule, histories, at: now.seconds) }
        return meters[claim.place].refusal(of: claim, at: now, ledgerWorks: ledgerWorks)
    }

    private mutating func hold(_ claim: inout LimitClaim, at now: UInt64) {
        meters[claim.place].take(claim, at: now)
        claim.hold()
    }

    /// Their request is no longer in flight; what it has used is settled later.
    mutating func land(_ claims: inout [LimitClaim]) {
        for index in claims.indices where claims[index].isInFlight {
            meters[claims[index].place].land()
            claims[index].land()
        }
    }

    /// Ends the claims of a request.
    mutating func settle(_ claims: [LimitClaim], _ use: RequestUse, at now: UInt64) {
        let now = instant(now)
        for claim in claims where claim.holds {
            meters[claim.place].settle(claim, use, at: now)
            meters[claim.place].claims -= 1
        }
    }

    /// A request that was counted already is refused: it is as if it had not come, but that it is still in flight.
    mutating func giveBack(_ claims: [LimitClaim], at now: UInt64) {
        for claim in claims where claim.holds { meters[claim.place].giveBackRequest(claim.rules, at: now) }
    }

    func instant(_ now: UInt64) -> LimitInstant {
        LimitInstant(monotonic: now, realtime: Int64(truncatingIfNeeded: now) &+ epoch)
    }

    // MARK: Budgets

    /// Adds what was used before: to budgets that have begun without it, and to those that will begin.
    mutating func restore(_ history: BudgetHistory) {
        histories[history.period, default: []].removeAll { $0.window == history.window }
        histories[history.period, default: []].append(history)
        for place in meters.indices { meters[place].restore(history) }
    }

    /// What is known of the past does not hold for what is configured from now on: it is asked for again.
    mutating func forgetHistories() {
        histories = [:]
        for place in meters.indices { meters[place].expectHistory() }
    }

    /// How far a subject's budget is used; nil without a budget.
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

    // MARK: What is told

    /// What is left to the subjects of some claims, which have been taken or refused by the call before.
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

    /// Looks at the next meter, and forgets one that is idle.
    private mutating func forgetNext(at now: LimitInstant) {
        guard !meters.isEmpty else { return }
        hand = hand + 1 < meters.count ? hand + 1 : 0
        guard let subject = meters[hand].subject, meters[hand].isIdle(at: now) else { return }
        places[subject] = nil
        meters[hand].subject = nil
        vacant.append(hand)
    }

    /// How many requests of a subject have not ended.
    func inFlight(of subject: LimitSubject) -> Int { places[subject].map { meters[$0].inFlight } ?? 0 }

    /// Subjects that are remembered.
    var count: Int { places.count }

    /// Whether nothing is in flight, and nothing was used that is not whole again.
    func isIdle(at now: UInt64) -> Bool { places.values.allSatisfy { meters[$0].isIdle(at: instant(now)) } }

    /// What a subject's requests in flight have reserved of its budget.
    func reserved(of subject: LimitSubject) -> Int { places[subject].map { meters[$0].reserved } ?? 0 }
}
