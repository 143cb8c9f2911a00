import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// The plan of two concurrent attempts.
@Suite struct HedgePlanTests {
    private func plan(_ targets: Int, keys: Int = 1, rules: RetryRules = RetryRules(attempts: 3)) -> AttemptPlan {
        var plan = AttemptPlan((0..<targets).map { AttemptPlan.Candidate($0, keys: keys) }, rules)
        #expect(plan.begin() == .send(0))
        plan.sent()
        return plan
    }

    private func hedge(_ plan: inout AttemptPlan, free: Set<Int> = [1, 2, 3], budget: Bool = true) -> Int? {
        let target = plan.hedge(with: free.contains) { budget }
        if target != nil { plan.sent() }
        return target
    }

    private func fail(_ plan: inout AttemptPlan, _ target: Int, _ cause: GatewayError.Cause) -> AttemptPlan.Step {
        plan.fail(.upstream(502, "code", "m", cause: cause), of: target, random: 0) { true }
    }

    @Test func secondAttemptGoesToTheNextTargetAndCounts() {
        var plan = plan(3)
        #expect(hedge(&plan) == 1)
        #expect(plan.sends == 2)
        #expect(plan.hasHedged)
    }

    @Test func busyTargetKeepsItsTurnForLater() {
        var plan = plan(3)
        #expect(hedge(&plan, free: [2]) == 2)
        #expect(fail(&plan, 0, .connect) == .pending)
        #expect(fail(&plan, 2, .connect) == .send(1))
    }

    @Test func atMostOneHedgePerRequest() {
        var plan = plan(3)
        #expect(hedge(&plan) == 1)
        #expect(!plan.mayHedge)
        #expect(hedge(&plan) == nil)
        #expect(fail(&plan, 0, .connect) == .pending)
        #expect(fail(&plan, 1, .connect) == .send(2))
        #expect(!plan.mayHedge)
    }

    @Test func noHedgeWithoutATargetAnAttemptOrABudget() {
        var alone = plan(1)
        #expect(!alone.mayHedge)
        #expect(hedge(&alone) == nil)
        var last = plan(2, rules: RetryRules(attempts: 1))
        #expect(!last.mayHedge)
        #expect(hedge(&last) == nil)
        var busy = plan(2)
        #expect(hedge(&busy, free: []) == nil)
        #expect(hedge(&busy, budget: false) == nil)
        #expect(busy.sends == 1)
        #expect(busy.mayHedge)
    }

    @Test func budgetIsUsedOnlyIfATargetIsFree() {
        var plan = plan(2)
        var asked = 0
        let mayRetry = {
            asked += 1
            return true
        }
        _ = plan.hedge(with: { _ in false }, mayRetry: mayRetry)
        #expect(asked == 0)
    }

    @Test(arguments: [[0, 1], [1, 0]]) func failureOfOneWaitsForTheOther(_ order: [Int]) {
        var plan = plan(3)
        #expect(hedge(&plan) == 1)
        #expect(fail(&plan, order[0], .connect) == .pending)
        #expect(fail(&plan, order[1], .connect) == .send(2))
    }

    @Test func commonFailureEndsThePlan() {
        var plan = plan(2, rules: RetryRules(attempts: 2))
        #expect(hedge(&plan) == 1)
        #expect(fail(&plan, 1, .upstreamStatus(500)) == .pending)
        #expect(fail(&plan, 0, .upstreamStatus(503)) == .over)
        #expect(plan.conclusion(model: "m", at: 0).cause == .upstreamStatus(503))
    }

    @Test func refusalOfOneIsReportedIfTheOtherFailsToo() {
        var plan = plan(3)
        #expect(hedge(&plan) == 1)
        #expect(fail(&plan, 0, .upstreamStatus(400)) == .pending)
        #expect(fail(&plan, 1, .connect) == .over)
        let told = plan.conclusion(model: "m", at: 0)
        #expect(told.cause == .upstreamStatus(400))
        #expect(told.headerFields[.xShouldRetry] == nil)
    }

    @Test func bothCanBeRetried() {
        var plan = plan(2, rules: RetryRules(attempts: 4))
        #expect(hedge(&plan) == 1)
        #expect(fail(&plan, 0, .closedBeforeResponse) == .pending)
        #expect(fail(&plan, 1, .closedBeforeResponse) == .wait(0, then: 0))
    }

    @Test func remainingKeyAllowsAnotherTry() {
        var plan = plan(2, keys: 2, rules: RetryRules(attempts: 4))
        #expect(hedge(&plan) == 1)
        #expect(fail(&plan, 0, .upstreamStatus(401)) == .pending)
        #expect(fail(&plan, 1, .tls) == .wait(0, then: 0))
    }

    @Test func unsentAttemptIsFree() {
        var plan = plan(2)
        #expect(hedge(&plan) == 1)
        #expect(fail(&plan, 1, .unreachable) == .pending)
        #expect(plan.sends == 1)
    }
}
