import HeadgateConfiguration
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct LimitCountersTests {
    private static let second: UInt64 = 1_000_000_000
    private let key = LimitSubject(kind: .key, name: "k")
    private let group = LimitSubject(kind: .group, name: "k")

    private func claim(
        _ limits: UsageLimits, of subject: LimitSubject, isCounted: Bool = true, reserve: TokenReserve? = nil
    ) throws -> LimitClaim {
        LimitClaim(rules: try #require(LimitRules(limits, of: subject)), isCounted: isCounted, reserve: reserve)
    }

    private func remaining(_ counters: inout LimitCounters, _ claim: LimitClaim, at now: UInt64 = 0) -> Int? {
        // This claim reserves nothing, so the limit is only checked.
        var look = [LimitClaim(rules: claim.rules, isCounted: false, reserve: TokenReserve.none)]
        #expect(counters.take(&look, at: now) == nil)
        let levels = counters.levels(of: look, at: now)
        counters.settle(look, RequestUse(), at: now)
        return (levels[.requests] ?? levels[.tokens])?.remaining
    }

    @Test func refusedRequestConsumesNothing() throws {
        var counters = LimitCounters()
        let wide = try claim(UsageLimits(requests: [RateLimit(100, per: .minute)], inFlight: 9), of: key)
        let narrow = try claim(UsageLimits(requests: [RateLimit(1, per: .minute)], inFlight: 2), of: group)
        var first = [wide, narrow]
        #expect(counters.take(&first, at: 1) == nil)
        var second = [wide, narrow]
        guard case .rate(let subject, _, let wait)? = counters.take(&second, at: 1) else {
            Issue.record("not refused")
            return
        }
        #expect(subject == group && wait == 60 * Self.second)
        #expect(counters.levels(of: second, at: 1)[.requests]?.remaining == 0)
        #expect(remaining(&counters, wide, at: 1) == 99)
        #expect(counters.inFlight(of: key) == 1 && counters.inFlight(of: group) == 1)
        counters.settle(first, RequestUse(), at: 1)
        #expect(counters.inFlight(of: key) == 0 && counters.inFlight(of: group) == 0)
        #expect(counters.isIdle(at: 60 * Self.second + 1) && !counters.isIdle(at: 60 * Self.second))
    }

    @Test func theLongestWaitIsReported() throws {
        var counters = LimitCounters()
        let limits = UsageLimits(requests: [RateLimit(1, per: .second), RateLimit(2, per: .day)])
        for now in [0, Self.second] {
            var claims = [try claim(limits, of: key)]
            #expect(counters.take(&claims, at: now) == nil)
        }
        var claims = [try claim(limits, of: key)]
        guard case .rate(_, let rule, _)? = counters.take(&claims, at: Self.second) else {
            Issue.record("not refused")
            return
        }
        #expect(rule.limit.period == .day)
    }

    @Test func unreadRequestRequiresButTakesNoToken() throws {
        var counters = LimitCounters()
        let limits = UsageLimits(tokens: [RateLimit(2, per: .minute)])
        for _ in 0..<9 {
            var claims = [try claim(limits, of: key)]
            #expect(counters.take(&claims, at: 0) == nil)
            counters.settle(claims, RequestUse(input: 1, output: 1), at: 0)
        }
        var reserved = [try claim(limits, of: key, reserve: TokenReserve(input: 2, output: 512))]
        #expect(counters.take(&reserved, at: 0) == nil)
        var claims = [try claim(limits, of: key)]
        #expect(counters.take(&claims, at: 0) != nil)
    }

    @Test(arguments: [
        (RequestUse(input: 3, output: 4), 993), (RequestUse(), 1000), (RequestUse(input: 3000), -2000),
        // Without counts or content, the reservation of 2 and 512 tokens applies.
        (RequestUse(isOpen: true), 486), (RequestUse(input: 1, output: 9, isOpen: true), 487),
        (RequestUse(input: 600, output: 9, isOpen: true), -112),
        // Content counts one token per four bytes, or the counts so far.
        (RequestUse(isOpen: true, bytes: 3597), 98), (RequestUse(isOpen: true, bytes: 400), 898),
        (RequestUse(input: 3, output: 4, isOpen: true, bytes: 3), 993),
        (RequestUse(input: 3, output: 4, bytes: 900), 993),
    ])
    func tokensAreCountedAsTheyWereUsed(_ use: RequestUse, _ left: Int) throws {
        var counters = LimitCounters()
        let claim = try claim(
            UsageLimits(tokens: [RateLimit(1000, per: .minute)]), of: key,
            reserve: TokenReserve(input: 2, output: 512))
        var claims = [claim]
        #expect(counters.take(&claims, at: 0) == nil)
        #expect(counters.levels(of: claims, at: 0)[.tokens]?.remaining == 486)
        counters.settle(claims, use, at: 0)
        // Debt is paid back first.
        let debt = UInt64(max(0, -left)) * 60 * Self.second / 1000
        var early = [LimitClaim(rules: claim.rules, isCounted: true, reserve: nil)]
        #expect(debt == 0 || counters.take(&early, at: debt) != nil)
        #expect(remaining(&counters, claim, at: debt) == max(0, left))
    }

    @Test func flightsAreBounded() throws {
        var counters = LimitCounters()
        let claim = try claim(UsageLimits(inFlight: 2), of: key)
        var (first, second, third) = ([claim], [claim], [claim])
        #expect(counters.take(&first, at: 0) == nil && counters.take(&second, at: 0) == nil)
        guard case .inFlight(let subject, let limit)? = counters.take(&third, at: 0) else {
            Issue.record("not refused")
            return
        }
        #expect(subject == key && limit == 2)
        counters.settle(first, RequestUse(), at: 0)
        #expect(counters.take(&third, at: 0) == nil && counters.inFlight(of: key) == 2)
    }

    @Test func subjectsOfDifferentKindsAreSeparate() throws {
        var counters = LimitCounters()
        let limits = UsageLimits(requests: [RateLimit(1, per: .minute)])
        for subject in [key, group] {
            var claims = [try claim(limits, of: subject)]
            #expect(counters.take(&claims, at: 0) == nil)
        }
        var claims = [try claim(limits, of: key)]
        #expect(counters.take(&claims, at: 0) != nil)
    }

    @Test func changedLimitAppliesFromTheReload() throws {
        var counters = LimitCounters()
        for _ in 0..<10 {
            var claims = [try claim(UsageLimits(requests: [RateLimit(10, per: .minute)]), of: key)]
            #expect(counters.take(&claims, at: 0) == nil)
        }
        // The whole minute's limit is used up, and the new limit refills twice as fast.
        var claims = [try claim(UsageLimits(requests: [RateLimit(20, per: .minute)]), of: key)]
        #expect(counters.take(&claims, at: 0)?.wait == 3 * Self.second)
    }

    @Test func returnedRequestDoesNotCount() throws {
        var counters = LimitCounters()
        let claim = try claim(
            UsageLimits(requests: [RateLimit(5, per: .minute)], tokens: [RateLimit(5, per: .minute)]), of: key)
        var claims = [claim]
        #expect(counters.take(&claims, at: 0) == nil && remaining(&counters, claim) == 4)
        counters.giveBack(claims, at: 0)
        #expect(remaining(&counters, claim) == 5)
    }

    /// 20,000 keys make one request each.
    @Test func refilledLimitIsForgotten() throws {
        var counters = LimitCounters()
        var open: [LimitClaim] = []
        for number in 0..<20_000 {
            var claims = [
                try claim(
                    UsageLimits(requests: [RateLimit(60, per: .second)], inFlight: 1),
                    of: LimitSubject(kind: .key, name: "\(number)"))
            ]
            let now = UInt64(number) * 1_000_000
            #expect(counters.take(&claims, at: now) == nil)
            if number % 1000 == 0 { open += claims } else { counters.settle(claims, RequestUse(), at: now) }
            // About 17 limits have not refilled, and in the end 20 requests are in flight.
            #expect(counters.count <= 80)
        }
        for claim in open { #expect(counters.inFlight(of: claim.rules.subject) == 1) }
        counters.settle(open, RequestUse(), at: 20_000_000_000)
        #expect(counters.isIdle(at: 30_000_000_000))
    }
}
