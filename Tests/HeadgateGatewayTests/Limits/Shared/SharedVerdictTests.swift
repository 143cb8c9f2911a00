import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct SharedVerdictTests {
    @Test func refusalNamesTheLimitThatIsReached() throws {
        let subject = LimitSubject(kind: .key, name: "k")
        let limits = UsageLimits(requests: [RateLimit(60, per: .minute)], inFlight: 2)
        let claims = [
            LimitClaim(rules: try #require(LimitRules(limits, of: subject)), isCounted: true, reserve: nil)
        ]
        var counters = LimitCounters()
        let now = LimitInstant(monotonic: 1, realtime: 1_800_000_000_000_000_000)
        let asked = counters.question(of: claims, at: now, epoch: 1, ledgerWorks: true).claims
        let answer = CounterAnswer(levels: [.init(ahead: [0], inFlight: 2, budget: nil)], lease: nil)
        let refusal = SharedVerdict(claims, asked, answer, realtime: now.realtime).refusal
        guard case .inFlight(subject, 2)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
    }
}
