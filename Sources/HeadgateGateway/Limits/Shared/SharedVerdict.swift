internal import HeadgateConfiguration
internal import HeadgateRelay

/// Levels and refusal of a request, according to the store's response.
struct SharedVerdict {
    private(set) var levels = LimitLevels()
    /// Reason with the longest wait; nil if the request is admitted.
    private(set) var refusal: LimitRefusal?

    /// - Parameter realtime: nanoseconds since 1970.
    init(_ claims: [LimitClaim], _ asked: [CounterClaim], _ answer: CounterAnswer, realtime: Int64) {
        let isRefused = answer.lease == nil
        for ((claim, asked), level) in zip(zip(claims, asked), answer.levels) {
            add(claim.rules, asked, level)
            if isRefused { find(claim, asked, level, realtime) }
        }
        if isRefused, refusal == nil { refusal = SharedVerdict.nearest(claims, asked, answer) }
    }

    /// Returns the refusal of the rate with the least room. Only rates are rounded: if no limit is passed by the
    /// levels, the store has rounded one of them differently.
    private static func nearest(
        _ claims: [LimitClaim], _ asked: [CounterClaim], _ answer: CounterAnswer
    ) -> LimitRefusal? {
        let rates = zip(zip(claims, asked), answer.levels).flatMap { each, level in
            zip(zip(each.0.rules.rates, each.1.rates), level.ahead).map { rate, ahead in
                (subject: each.0.rules.subject, rule: rate.0, excess: ahead + rate.1.cost - rate.1.room)
            }
        }
        if let rate = rates.max(by: { $0.excess < $1.excess }) { return .rate(rate.subject, rate.rule, wait: 1) }
        return claims.first.map { .inFlight($0.rules.subject, $0.rules.inFlight ?? 0) }
    }

    private mutating func add(_ rules: LimitRules, _ asked: CounterClaim, _ level: CounterAnswer.Level) {
        for (rule, ahead) in zip(rules.rates, level.ahead) {
            let rate = SharedRate(rule)
            levels.add(
                LimitLevel(
                    limit: rule.limit.count, burst: rule.burst, remaining: rate.remaining(ahead: ahead),
                    reset: CounterTicks.nanoseconds(ahead)),
                of: rule.measure)
        }
        if let rule = rules.budget, let budget = level.budget {
            levels.add(budgetUsed: Double(budget.spent) / Double(rule.amount))
        }
    }

    private mutating func find(
        _ claim: LimitClaim, _ asked: CounterClaim, _ level: CounterAnswer.Level, _ realtime: Int64
    ) {
        let rules = claim.rules
        if claim.isCounted, let limit = rules.inFlight, level.inFlight >= limit {
            note(.inFlight(rules.subject, limit))
        }
        for ((rule, rate), ahead) in zip(zip(rules.rates, asked.rates), level.ahead) where ahead + rate.cost > rate.room
        {
            let wait = CounterTicks.nanoseconds(ahead + rate.cost - rate.room)
            note(.rate(rules.subject, rule, wait: max(1, wait)))
        }
        guard let rule = rules.budget, let budget = level.budget, let window = asked.budget,
            budget.spent.addingCapped(budget.reserved) >= rule.amount
        else { return }
        guard budget.spent >= rule.amount else {
            return note(.budget(rules.subject, rule, wait: LimitRefusal.unknownWait, end: nil))
        }
        let wait = UInt64(max(1, window.end * 1_000_000_000 - realtime))
        note(.budget(rules.subject, rule, wait: wait, end: window.end))
    }

    private mutating func note(_ found: LimitRefusal) {
        if refusal.map({ found.wait > $0.wait }) ?? true { refusal = found }
    }
}
