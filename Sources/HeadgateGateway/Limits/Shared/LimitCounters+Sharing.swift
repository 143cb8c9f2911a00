internal import HeadgateRelay

/// What this gateway has counted, for a store that counts for several. Everything that the store admits is counted here
/// too: so the limits hold on where it fails.
extension LimitCounters {
    /// What a store is asked for a request.
    struct Question {
        var claims: [CounterClaim] = []
        /// Why the store need not be asked.
        var refusal: LimitRefusal?
    }

    /// - Parameters:
    ///   - epoch: of the store: what is known here is told to it once.
    ///   - ledgerWorks: whether what is used now is known after a restart, too.
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

    /// The store has not been told.
    mutating func takeBack(_ asked: [CounterClaim], of claims: [LimitClaim]) {
        for (claim, asked) in zip(claims, asked) {
            guard let place = places[claim.rules.subject] else { continue }
            meters[place].epoch = 0
            guard let rule = claim.rules.budget, let budget = asked.budget else { continue }
            meters[place].takeBack(budget.unshared, of: rule)
        }
    }

    /// Others have used budgets too.
    mutating func learn(_ levels: [CounterAnswer.Level], of claims: [LimitClaim]) {
        for (claim, level) in zip(claims, levels) {
            guard let rule = claim.rules.budget, let budget = level.budget, let place = places[claim.rules.subject]
            else { continue }
            meters[place].learn(budget, of: rule)
        }
    }

    /// What was used is not known to the store, and is told to it with a later request.
    mutating func noteUnshared(_ claims: [LimitClaim], _ use: RequestUse) {
        for claim in claims {
            guard let rule = claim.rules.budget, let place = places[claim.rules.subject] else { continue }
            meters[place].share(use.units(rule.unit, reserved: claim), of: rule)
        }
    }

    /// - Parameter now: monotonic.
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
    /// Sums of it stay within 64 bits.
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
                // What is capped in sums of it is capped in the difference.
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
