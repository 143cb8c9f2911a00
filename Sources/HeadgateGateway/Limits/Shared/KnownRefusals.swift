internal import HeadgateConfiguration
internal import HeadgateRelay

/// Recent refusals that cannot change before a known instant, whatever other gateways do: request rates and used-up
/// budgets. The gateway refuses further requests without querying the store. Pure: instants are monotonic nanoseconds.
package struct KnownRefusals: Sendable {
    private struct Known {
        /// Rules that refused the request; a reload can replace them.
        let rules: LimitRules
        let refusal: LimitRefusal
        let until: UInt64
    }

    private static let most = 4096

    private var known: [LimitSubject: Known] = [:]
    var count: Int { known.count }

    package init() {}

    mutating func note(_ refusal: LimitRefusal, of rules: LimitRules, at now: UInt64) {
        switch refusal {
        case .rate(_, let rule, _) where rule.measure == .requests: break
        case .budget(_, _, _, .some): break
        default: return
        }
        if known.count >= KnownRefusals.most { known = known.filter { $0.value.until > now } }
        if known.count >= KnownRefusals.most { known = [:] }
        let (until, overflows) = now.addingReportingOverflow(refusal.wait)
        known[rules.subject] = Known(rules: rules, refusal: refusal, until: overflows ? .max : until)
    }

    /// Returns the current refusal of a subject, with its levels as far as they are known; nil for none.
    mutating func refusal(of rules: LimitRules, at now: UInt64) -> (refusal: LimitRefusal, levels: LimitLevels)? {
        guard let one = known[rules.subject] else { return nil }
        guard one.rules === rules, one.until > now else {
            known[rules.subject] = nil
            return nil
        }
        let wait = one.until - now
        var levels = LimitLevels()
        switch one.refusal {
        case .rate(let subject, let rule, _):
            let room = CounterTicks.nanoseconds(SharedRate(rule).room)
            let unit = CounterTicks.nanoseconds(SharedRate(rule).ticks(1))
            let reset = room.addingReportingOverflow(wait).partialValue
            levels.add(
                LimitLevel(
                    limit: rule.limit.count, burst: rule.burst, remaining: 0, reset: reset > unit ? reset - unit : reset
                ),
                of: rule.measure)
            return (.rate(subject, rule, wait: wait), levels)
        case .budget(let subject, let rule, _, let end):
            levels.add(budgetUsed: 1)
            return (.budget(subject, rule, wait: wait, end: end), levels)
        default: return nil
        }
    }
}
