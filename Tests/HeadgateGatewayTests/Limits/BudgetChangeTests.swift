import HeadgateConfiguration
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Budgets across configuration changes, and charges for truncated responses.
@Suite struct BudgetChangeTests {
    private let key = LimitSubject(kind: .key, name: "k")

    private func claim(_ budget: BudgetConfiguration) throws -> LimitClaim {
        LimitClaim(
            rules: try #require(LimitRules(nil, budget: budget, of: key)), isCounted: false,
            reserve: TokenReserve(input: 2, output: 512), cost: 1000, outputCost: 3)
    }

    private func share(_ counters: inout LimitCounters, _ claim: LimitClaim) -> Double? {
        counters.budgetUse(
            of: claim.rules.subject, claim.rules.budget, at: InProcessGateway.now / 1_000_000_000)?.share
    }

    private func spend(_ tokens: Int, _ claim: LimitClaim, _ counters: inout LimitCounters) {
        var claims = [claim]
        #expect(counters.take(&claims, at: 0) == nil)
        counters.settle(claims, RequestUse(input: tokens), at: 0)
    }

    @Test func requestsOfAnEarlierConfigurationDoNotResetABudget() throws {
        var counters = LimitCounters()
        let before = try claim(BudgetConfiguration(.tokens(10_000), every: .hour))
        let after = try claim(BudgetConfiguration(.tokens(1000), every: .day))
        var held = [before]
        #expect(counters.take(&held, at: 0) == nil)
        spend(600, after, &counters)
        spend(1, before, &counters)
        #expect(share(&counters, after) == 0.601)
        // The request is charged to both budgets, and releases its reserve.
        counters.settle(held, RequestUse(input: 399), at: 0)
        #expect(share(&counters, after) == 1)
        #expect(share(&counters, before) == 0.1)
        #expect(counters.reserved(of: key) == 0)
        var refused = [after]
        #expect(counters.take(&refused, at: 0) != nil)
    }

    @Test func repeatedHistoryIsNotCountedTwice() throws {
        var counters = LimitCounters()
        let claim = try claim(BudgetConfiguration(.tokens(1000), every: .day))
        spend(300, claim, &counters)
        counters.forgetHistories()
        var row = UsageRow("k")
        row.promptTokens = 300
        counters.restore(BudgetQuestion(.day, at: InProcessGateway.now / 1_000_000).history([row]) { _ in nil })
        #expect(share(&counters, claim) == 0.3)
    }

    /// An upgraded gateway reads the journal of the former process after that process has ended.
    @Test func laterUseOfAnotherGatewayIsAddedToOpenAndToNewAccounts() throws {
        func history(_ tokens: Int, _ period: BudgetConfiguration.Period = .day, at seconds: Int64 = 0) -> BudgetHistory
        {
            var row = UsageRow("k")
            row.promptTokens = tokens
            let now = InProcessGateway.now / 1_000_000 + seconds * 1000
            return BudgetQuestion(period, at: now).history([row]) { _ in nil }
        }
        let claim = try claim(BudgetConfiguration(.tokens(1000), every: .day))
        var (open, new) = (LimitCounters(), LimitCounters())
        open.restore(history(100))
        new.restore(history(100))
        spend(300, claim, &open)
        for other in [history(999, .hour), history(999, at: -86_400)] {
            open.add(other)
            new.add(other)
        }
        open.add(history(50))
        new.add(history(50))
        #expect(share(&open, claim) == 0.45)
        #expect(share(&new, claim) == 0.15)
        spend(300, claim, &new)
        #expect(share(&new, claim) == 0.45)
    }

    /// An ended account is not dropped until the clock has advanced further.
    @Test func setBackClockRestoresASubject() throws {
        var counters = LimitCounters()
        let claim = try claim(BudgetConfiguration(.tokens(1000), every: .hour))
        func take(_ claim: LimitClaim, at seconds: Int64) -> LimitRefusal? {
            var claims = [claim]
            let instant = LimitInstant(monotonic: 1, realtime: seconds * 1_000_000_000)
            let refusal = counters.take(&claims, at: instant, ledgerWorks: true)
            if refusal == nil { counters.settle(claims, RequestUse(input: 1000), at: 1) }
            return refusal
        }
        #expect(take(claim, at: 3590) == nil && take(claim, at: 3590) != nil)
        for number in 0..<20 {
            let rules = LimitRules(UsageLimits(inFlight: 1), of: LimitSubject(kind: .key, name: "\(number)"))
            _ = take(LimitClaim(rules: try #require(rules), isCounted: false, reserve: nil), at: 3610)
        }
        #expect(take(claim, at: 3590) != nil)
        #expect(take(claim, at: 3610) == nil && take(claim, at: 3610) != nil)
        #expect(take(claim, at: 3590) != nil)
    }

    @Test(arguments: [(0, 1000), (2048, 1000), (3248, 1900), (1248, 400), (1, 0)])
    func unpricedResponseIsChargedByItsReceivedPart(_ octets: Int, _ cost: Int) throws {
        let claim = try claim(BudgetConfiguration(.usd(1), every: .day))
        #expect(RequestUse(isOpen: true, bytes: octets, cost: .unknown).units(.picodollars, reserved: claim) == cost)
        let known = RequestUse(isOpen: true, bytes: octets, cost: .known(7))
        #expect(known.units(.picodollars, reserved: claim) == 7)
    }

    @Test func abandonedStreamIsChargedByItsBytes() throws {
        let claim = try claim(BudgetConfiguration(.tokens(10_000), every: .day))
        var outcome = Outcome(startedAt: 0)
        (outcome.operation, outcome.upstream, outcome.upstreamStatus) = ("createChatCompletion", "up", 200)
        (outcome.isStream, outcome.events, outcome.end) = (true, 2000, .clientGone)
        outcome.writtenBytes = 801
        #expect(RequestUse(outcome).units(.tokens, reserved: claim) == 203)
        outcome.promptTokens = 7
        #expect(RequestUse(outcome).units(.tokens, reserved: claim) == 208)
        outcome.writtenBytes = 0
        #expect(RequestUse(outcome).units(.tokens, reserved: claim) == 519)
    }
}
