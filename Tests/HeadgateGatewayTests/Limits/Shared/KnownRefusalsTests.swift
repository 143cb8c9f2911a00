import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct KnownRefusalsTests {
    private let subject = LimitSubject(kind: .key, name: "k")

    private func rules(_ limits: UsageLimits, of subject: LimitSubject) throws -> LimitRules {
        try #require(LimitRules(limits, of: subject))
    }

    @Test func exceededRateIsKnownUntilItsRefill() throws {
        let rules = try rules(UsageLimits(requests: [RateLimit(60, per: .minute)]), of: subject)
        var known = KnownRefusals()
        #expect(known.refusal(of: rules, at: 0) == nil)
        known.note(.rate(subject, rules.rates[0], wait: 500), of: rules, at: 100)
        let found = known.refusal(of: rules, at: 400)
        guard case .rate(_, _, wait: 200)? = found?.refusal else {
            Issue.record("\(String(describing: found))")
            return
        }
        // The next request can pass in 200 ns; the other 59 of the minute's burst refill after it.
        #expect(found?.levels[.requests]?.remaining == 0 && found?.levels[.requests]?.reset == 59_000_000_200)
        #expect(known.refusal(of: rules, at: 600) == nil && known.refusal(of: rules, at: 400) == nil)
    }

    @Test func refusalThatOthersCanLiftIsNotCached() throws {
        let limits = UsageLimits(tokens: [RateLimit(60, per: .minute)], inFlight: 1)
        let rules = try rules(limits, of: subject)
        var known = KnownRefusals()
        known.note(.rate(subject, rules.rates[0], wait: 500), of: rules, at: 0)
        known.note(.inFlight(subject, 1), of: rules, at: 0)
        let budget = BudgetRule(BudgetConfiguration(.tokens(1), every: .day))
        known.note(.budget(subject, budget, wait: 500, end: nil), of: rules, at: 0)
        #expect(known.refusal(of: rules, at: 1) == nil)
        known.note(.budget(subject, budget, wait: 500, end: 9), of: rules, at: 0)
        #expect(known.refusal(of: rules, at: 1)?.levels.budgetUsed == 100)
    }

    @Test func otherRulesAreQueried() throws {
        let limits = UsageLimits(requests: [RateLimit(60, per: .minute)])
        let (before, after) = (try rules(limits, of: subject), try rules(limits, of: subject))
        var known = KnownRefusals()
        known.note(.rate(subject, before.rates[0], wait: .max), of: before, at: 5)
        #expect(known.refusal(of: after, at: 6) == nil)
    }

    @Test func manySubjectsTakeNoMoreMemory() throws {
        let limits = UsageLimits(requests: [RateLimit(60, per: .minute)])
        var known = KnownRefusals()
        for number in 0..<20_000 {
            let subject = LimitSubject(kind: .key, name: "\(number)")
            let rules = try rules(limits, of: subject)
            known.note(.rate(subject, rules.rates[0], wait: 1_000_000), of: rules, at: UInt64(number))
            #expect(known.count <= 4096 && known.refusal(of: rules, at: UInt64(number)) != nil)
        }
    }
}
