internal import HeadgateRelay

/// Exchange of counts with the store of several gateways. Requests that the store admits are counted here too, so that
/// the limits still hold if the store fails.
extension LimitCounters {
    /// Claims of a request in the form that the store takes.
    struct Question {
        var claims: [CounterClaim] = []
        /// Reason to refuse the request without querying the store.
        var refusal: LimitRefusal?
    }

    /// Makes the store's claims, with the use that the store has not received yet.
    ///
    /// - Parameters:
    ///   - epoch: epoch of the store, which receives the local counts once.
    ///   - ledgerWorks: whether the ledger stores the use, so that it is known after a restart.
    mutating func question(
        of claims: [LimitClaim], at now: LimitInstant, epoch: UInt64, ledgerWorks: Bool
    ) -> Question {
        var question = Question()
        for claim in claims {
            let place = place(of: claim.rules, at: now)
            if let rule = claim.rules.budget { meters[place].prepare(rule, histories, at: now.seconds) }
            if let rule = claim.rules.budget, rule.isStrict, !ledgerWorks || !meters[place].hasRead(rule) {
                question.refusal = .budgetUnknown(claim.rules.subject, rule)
            }
            question.claims.append(meters[place].shared(claim, at: now, epoch: epoch))
        }
        if question.refusal != nil { takeBack(question.claims, of: claims) }
        return question
    }

    /// Takes back the use in claims that did not reach the store, to be sent later.
    mutating func takeBack(_ asked: [CounterClaim], of claims: [LimitClaim]) {
        for (claim, asked) in zip(claims, asked) {
            guard let place = places[claim.rules.subject] else { continue }
            meters[place].epoch = 0
            guard let rule = claim.rules.budget, let budget = asked.budget else { continue }
            meters[place].takeBack(budget.unshared, of: rule)
        }
    }

    /// Adds the use of budgets by other gateways.
    mutating func learn(_ levels: [CounterAnswer.Level], of claims: [LimitClaim]) {
        for (claim, level) in zip(claims, levels) {
            guard let rule = claim.rules.budget, let budget = level.budget, let place = places[claim.rules.subject]
            else { continue }
            meters[place].learn(budget, of: rule)
        }
    }

    /// Notes use that the store has not received; a later request sends it.
    mutating func noteUnshared(_ claims: [LimitClaim], _ use: RequestUse) {
        for claim in claims {
            guard let rule = claim.rules.budget, let place = places[claim.rules.subject] else { continue }
            meters[place].share(use.units(rule.unit, reserved: claim), of: rule)
        }
    }

    /// Makes the store's settlements of a request.
    ///
    /// - Parameter now: monotonic nanoseconds.
    func settlements(of claims: [LimitClaim], _ use: RequestUse, at now: UInt64) -> [CounterSettlement] {
        claims.map { CounterSettlement($0, use, at: instant(now).seconds) }
    }
}

extension LimitMeter {
    fileprivate mutating func shared(_ claim: LimitClaim, at now: LimitInstant, epoch: UInt64) -> CounterClaim {
        let isTold = self.epoch == epoch
        self.epoch = epoch
        let rules = claim.rules
        var shared = CounterClaim(
            subject: rules.subject.counterName, isCounted: claim.isCounted, inFlight: rules.inFlight)
        for rule in rules.rates {
            let rate = SharedRate(rule)
            let cost = rate.ticks(claim.takenUnits(of: rule))
            let ahead = isTold ? 0 : level(of: rule, at: now.monotonic).reset
            shared.rates.append(
                CounterClaim.Rate(
                    slot: rule.slot, cost: cost, room: rate.room + cost - rate.ticks(claim.units(of: rule) ?? 0),
                    seed: min(CounterTicks.ticks(ahead), SharedRate.most)))
        }
        guard let rule = rules.budget else { return shared }
        let (window, seed, unshared) = tell(rule, to: epoch)
        shared.budget = CounterClaim.Budget(
            name: rule.counterName, start: window.start, end: window.end, amount: rule.amount,
            reserve: CounterClaim.clamped(claim.reserved(of: rule.unit) ?? 0),
            seed: CounterClaim.clamped(seed), unshared: CounterClaim.clamped(unshared))
        return shared
    }
}

extension CounterClaim {
    /// Clamps an amount, so that sums of a few stay within 64 bits.
    fileprivate static func clamped(_ units: Int) -> Int { min(max(0, units), 1_000_000_000_000_000_000) }
}

extension CounterSettlement {
    /// - Parameter now: seconds since 1970.
    init(_ claim: LimitClaim, _ use: RequestUse, at now: Int64) {
        let rules = claim.rules
        self.init(subject: rules.subject.counterName, isCounted: claim.isInFlight)
        if let reserve = claim.reserve {
            for rule in rules.rates where rule.measure != .requests {
                let used = use.tokens(rule.measure, reserved: reserve)
                let rate = SharedRate(rule)
                // Both terms are capped at `SharedRate.most`, so the difference cannot overflow.
                let change = rate.ticks(used) - rate.ticks(claim.takenUnits(of: rule))
                if change != 0 { rates.append(Rate(slot: rule.slot, change: change)) }
            }
        }
        guard let rule = rules.budget else { return }
        let window = BudgetWindow(rule.period, at: now)
        budget = Budget(
            name: rule.counterName, start: window.start, end: window.end,
            used: CounterClaim.clamped(use.units(rule.unit, reserved: claim)),
            reserve: CounterClaim.clamped(claim.reserved(of: rule.unit) ?? 0))
    }
}
