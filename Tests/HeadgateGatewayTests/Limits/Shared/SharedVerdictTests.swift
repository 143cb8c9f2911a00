import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct SharedVerdictTests {
    private let subject = LimitSubject(kind: .key, name: "k")

    /// Returns the refusal of a store that granted no lease and reports these levels.
    private func refusal(
        of limits: UsageLimits, _ level: ([CounterClaim.Rate]) -> CounterAnswer.Level
    ) throws -> LimitRefusal? {
        let claims = [
            LimitClaim(rules: try #require(LimitRules(limits, of: subject)), isCounted: true, reserve: nil)
        ]
        var counters = LimitCounters()
        let now = LimitInstant(monotonic: 1, realtime: 1_800_000_000_000_000_000)
        let asked = counters.question(of: claims, at: now, epoch: 1, ledgerWorks: true).claims
        let answer = CounterAnswer(levels: [level(try #require(asked.first).rates)], lease: nil)
        return SharedVerdict(claims, asked, answer, realtime: now.realtime).refusal
    }

    @Test func refusalNamesTheLimitThatIsReached() throws {
        let limits = UsageLimits(requests: [RateLimit(60, per: .minute)], inFlight: 2)
        let refusal = try refusal(of: limits) { _ in .init(ahead: [0], inFlight: 2, budget: nil) }
        guard case .inFlight(subject, 2)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
    }

    /// The store can round a rate differently, so that no level explains its refusal.
    @Test func refusalWithoutAReachedLimitNamesTheRateWithTheLeastRoom() throws {
        let limits = UsageLimits(requests: [RateLimit(60, per: .minute), RateLimit(600, per: .hour)])
        for full in 0..<2 {
            let refusal = try refusal(of: limits) { rates in
                #expect(rates[0].room < rates[1].room)
                let ahead = rates.indices.map { rates[$0].room - rates[$0].cost - ($0 == full ? 0 : 1) }
                return .init(ahead: ahead, inFlight: 0, budget: nil)
            }
            guard case .rate(subject, let rule, wait: 1)? = refusal, rule.limit.count == [60, 600][full] else {
                Issue.record("\(String(describing: refusal))")
                return
            }
        }
    }
}
