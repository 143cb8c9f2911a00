import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct AttemptPlanTests {
    /// Returns the plan's steps, failure after failure, until it is over.
    private func steps(
        _ plan: inout AttemptPlan, failing errors: [GatewayError], random: Double = 1, budget: Int = .max
    ) -> [AttemptPlan.Step] {
        var left = budget
        var steps = [plan.begin()]
        for error in errors where steps.last != .over {
            plan.sent()
            steps.append(
                plan.fail(error, random: random) {
                    left -= 1
                    return left >= 0
                })
        }
        return steps
    }

    private func plan(_ targets: Int, keys: Int = 1, attempts: Int) -> AttemptPlan {
        AttemptPlan((0..<targets).map { AttemptPlan.Candidate($0, keys: keys) }, RetryRules(attempts: attempts))
    }

    private func failure(
        _ cause: GatewayError.Cause, retryAfter: String? = nil, shouldRetry: String? = nil, message: String = "m"
    ) -> GatewayError {
        var error = GatewayError.upstream(502, "code", message, cause: cause)
        error.headerFields[.retryAfter] = retryAfter
        error.headerFields[.xShouldRetry] = shouldRetry
        return error
    }

    @Test func targetsAreTriedInOrderWithoutWaits() {
        var plan = AttemptPlan(
            [2, 0, 1].map { AttemptPlan.Candidate($0) }, RetryRules(attempts: 3))
        let connect = failure(.connect)
        #expect(steps(&plan, failing: [connect, connect, connect]) == [.send(2), .send(0), .send(1), .over])
        #expect(plan.sends == 3)
    }

    @Test func fewerAttemptsThanTargetsEndEarlier() {
        var plan = plan(3, attempts: 2)
        #expect(steps(&plan, failing: [failure(.connect), failure(.connect)]) == [.send(0), .send(1), .over])
    }

    @Test func singleTargetIsRetriedWithDoublingWaits() {
        var plan = plan(1, attempts: 4)
        let failed = failure(.closedBeforeResponse)
        #expect(
            steps(&plan, failing: [failed, failed, failed, failed]) == [
                .send(0), .wait(200_000_000, then: 0), .wait(400_000_000, then: 0), .wait(800_000_000, then: 0), .over,
            ])
    }

    @Test func waitHasAnUpperBoundAndFullJitter() {
        let rules = RetryRules(attempts: 10)
        #expect(rules.wait(before: 0, random: 0) == 0)
        #expect(rules.wait(before: 1, random: 0.5) == 200_000_000)
        #expect(rules.wait(before: 9, random: 1) == 5_000_000_000)
        #expect(rules.wait(before: 1_000, random: 1) == 5_000_000_000)
    }

    @Test func targetWithFewerFailuresIsRetriedFirst() {
        var plan = plan(2, attempts: 5)
        let failed = failure(.connectTimeout)
        #expect(
            steps(&plan, failing: Array(repeating: failed, count: 5), random: 0) == [
                .send(0), .send(1), .wait(0, then: 0), .wait(0, then: 1), .wait(0, then: 0), .over,
            ])
    }

    @Test func upstreamsRequestedWaitIsHonoured() {
        var plan = plan(1, attempts: 2)
        #expect(
            steps(&plan, failing: [failure(.upstreamStatus(429), retryAfter: "3")], random: 0) == [
                .send(0), .wait(3_000_000_000, then: 0),
            ])
    }

    @Test func tooLongWaitIsSkipped() {
        var plan = plan(1, attempts: 2)
        #expect(
            steps(&plan, failing: [failure(.upstreamStatus(429), retryAfter: "6")], random: 0) == [.send(0), .over])
    }

    @Test(arguments: [
        GatewayError.Cause.connect, .connectTimeout, .closedBeforeResponse, .responseTimeout, .firstContentTimeout,
        .silenceTimeout,
        .errorInSuccess, .emptyStream, .truncatedBody, .notReady, .upstreamStatus(408), .upstreamStatus(409),
        .upstreamStatus(425), .upstreamStatus(429), .upstreamStatus(500), .upstreamStatus(503), .upstreamStatus(529),
    ])
    func transientFailureIsRetriedAnywhere(_ cause: GatewayError.Cause) {
        var one = plan(1, attempts: 2)
        #expect(steps(&one, failing: [failure(cause)], random: 0) == [.send(0), .wait(0, then: 0)])
        var two = plan(2, attempts: 2)
        #expect(steps(&two, failing: [failure(cause)]) == [.send(0), .send(1)])
        var last = plan(2, attempts: 1)
        #expect(steps(&last, failing: [failure(cause)]) == [.send(0), .over])
    }

    @Test(arguments: [
        GatewayError.Cause.upstreamStatus(401), .upstreamStatus(402), .upstreamStatus(403), .upstreamStatus(404),
        .upstreamStatus(301), .quotaExhausted, .tls, .unavailable, .notStream, .contentType, .invalidJSON, .encoding,
        .protocolViolation, .contextOverflow,
    ])
    func targetFaultIsRetriedOnlyElsewhere(_ cause: GatewayError.Cause) {
        var one = plan(1, attempts: 2)
        #expect(steps(&one, failing: [failure(cause)]) == [.send(0), .over])
        var two = plan(2, attempts: 2)
        #expect(steps(&two, failing: [failure(cause)]) == [.send(0), .send(1)])
    }

    @Test(arguments: [
        GatewayError.Cause.upstreamStatus(400), .upstreamStatus(413), .upstreamStatus(422), .oversize,
        .cancelled, .gatewayFailed, .totalTimeout, .invalidRequest,
    ])
    func faultOfTheRequestIsFinal(_ cause: GatewayError.Cause) {
        var plan = plan(3, attempts: 5)
        let error = failure(cause, message: "final")
        #expect(steps(&plan, failing: [failure(.connect), error]) == [.send(0), .send(1), .over])
        let told = plan.conclusion(model: "m", at: 0)
        #expect(told.message == "final")
        #expect(told.headerFields[.xShouldRetry] == nil)
    }

    @Test func unconfiguredFaultIsFinal() {
        var plan = AttemptPlan(
            [AttemptPlan.Candidate(0), AttemptPlan.Candidate(1)], RetryRules(attempts: 3, faults: [.connect]))
        #expect(steps(&plan, failing: [failure(.silenceTimeout)]) == [.send(0), .over])
    }

    @Test func anotherKeyIsTriedBeforeAnotherTarget() {
        var plan = plan(2, keys: 3, attempts: 10)
        let refused = failure(.upstreamStatus(401))
        #expect(
            steps(&plan, failing: Array(repeating: refused, count: 6)) == [
                .send(0), .send(0), .send(0), .send(1), .send(1), .send(1), .over,
            ])
    }

    @Test func rateLimitAlwaysTriesAnotherKey() {
        var plan = AttemptPlan([AttemptPlan.Candidate(0, keys: 2)], RetryRules(attempts: 2, faults: []))
        #expect(steps(&plan, failing: [failure(.upstreamStatus(429))]) == [.send(0), .send(0)])
    }

    @Test func emptyBudgetEndsThePlan() {
        var plan = plan(3, attempts: 3)
        let failed = failure(.closedBeforeResponse)
        #expect(steps(&plan, failing: [failed, failed], budget: 1) == [.send(0), .send(1), .over])
    }

    @Test(arguments: [GatewayError.Cause.connect, .connectTimeout, .tls, .unreachable])
    func fallbackCostsNoRetryBudgetIfNothingWasSent(_ cause: GatewayError.Cause) {
        var plan = plan(2, attempts: 3)
        #expect(
            steps(&plan, failing: [failure(cause), failure(.closedBeforeResponse)], budget: 0) == [
                .send(0), .send(1), .over,
            ])
    }

    @Test func retryCostsBudgetEvenIfNothingWasSent() {
        var plan = plan(1, attempts: 2)
        #expect(steps(&plan, failing: [failure(.connect)], budget: 0) == [.send(0), .over])
    }

    @Test func requestThatWasNeverSentIsFree() {
        var plan = plan(3, attempts: 1)
        let unreachable = failure(.unreachable)
        #expect(
            steps(&plan, failing: [unreachable, unreachable, failure(.connect)], budget: 0) == [
                .send(0), .send(1), .send(2), .over,
            ])
        #expect(plan.sends == 1)
    }

    @Test func upstreamsRetryHintCounts() {
        var one = plan(1, attempts: 2)
        #expect(
            steps(&one, failing: [failure(.upstreamStatus(500), shouldRetry: "false")], random: 0) == [.send(0), .over])
        var two = plan(2, attempts: 2)
        #expect(steps(&two, failing: [failure(.upstreamStatus(500), shouldRetry: "false")]) == [.send(0), .send(1)])
        var wished = plan(1, attempts: 2)
        #expect(
            steps(&wished, failing: [failure(.upstreamStatus(418), shouldRetry: "true")], random: 0) == [
                .send(0), .wait(0, then: 0),
            ])
        var refused = plan(1, attempts: 2)
        #expect(
            steps(&refused, failing: [failure(.upstreamStatus(400), shouldRetry: "true")], random: 0) == [
                .send(0), .over,
            ])
    }

    @Test func skippedTargetsCostNoAttempt() {
        var plan = plan(3, attempts: 1)
        #expect(plan.begin() == .send(0))
        #expect(plan.skip(until: 9_000_000_000, random: 0, mayRetry: { false }) == .send(1))
        #expect(plan.skip(until: 3_500_000_000, random: 0, mayRetry: { false }) == .send(2))
        #expect(plan.skip(until: nil, random: 0, mayRetry: { false }) == .over)
        let error = plan.conclusion(model: "m", at: 1_000_000_000)
        #expect(error.status == 503)
        #expect(error.code == "no_target_available")
        #expect(error.headerFields[.retryAfter] == "3")
        #expect(plan.sends == 0)
    }

    @Test func targetsWithRestingKeysAreTheLastResortBeforeA429() {
        var plan = plan(4, attempts: 3)
        #expect(plan.begin() == .send(0))
        #expect(plan.rest(until: 30, isLastResort: true, random: 0, mayRetry: { false }) == .send(1))
        #expect(plan.rest(until: 9_000_000_000, isLastResort: false, random: 0, mayRetry: { false }) == .send(2))
        #expect(plan.rest(until: 4_000_000_000, isLastResort: false, random: 0, mayRetry: { false }) == .send(3))
        plan.sent()
        #expect(plan.hasAttemptLeft)
        #expect(plan.fail(failure(.closedBeforeResponse), random: 0, mayRetry: { true }) == .lastResort(0))
        // Target 0 now rests for another reason, so the previous target is tried again.
        #expect(
            plan.rest(until: 9_000_000_000, isLastResort: false, random: 0, mayRetry: { true }) == .wait(0, then: 3))

        var resting = self.plan(2, attempts: 2)
        _ = resting.begin()
        _ = resting.rest(until: 9_000_000_000, isLastResort: false, random: 0, mayRetry: { true })
        #expect(resting.rest(until: 4_000_000_000, isLastResort: false, random: 0, mayRetry: { true }) == .over)
        let error = resting.conclusion(model: "m", at: 1_000_000_000)
        #expect(error.status == 429 && error.code == "targets_resting" && error.headerFields[.retryAfter] == "3")

        var mixed = self.plan(2, attempts: 2)
        _ = mixed.begin()
        _ = mixed.rest(until: 9_000_000_000, isLastResort: false, random: 0, mayRetry: { true })
        _ = mixed.skip(until: 4_000_000_000, random: 0, mayRetry: { true })
        #expect(mixed.conclusion(model: "m", at: 1_000_000_000).status == 503)
    }

    @Test func shorterWaitForARestingTargetIsReported() {
        var plan = plan(2, attempts: 2)
        _ = plan.begin()
        _ = plan.rest(until: 4_000_000_000, isLastResort: false, random: 0, mayRetry: { true })
        plan.sent()
        _ = plan.fail(failure(.upstreamStatus(429), retryAfter: "9"), random: 0, mayRetry: { true })
        #expect(plan.conclusion(model: "m", at: 1_000_000_000).headerFields[.retryAfter] == "3")
    }

    @Test func failedTargetIsRetriedIfTheOthersAreSkipped() {
        var plan = plan(2, attempts: 2)
        #expect(plan.begin() == .send(0))
        plan.sent()
        #expect(plan.fail(failure(.silenceTimeout), random: 0, mayRetry: { true }) == .send(1))
        #expect(plan.skip(until: nil, random: 0, mayRetry: { true }) == .wait(0, then: 0))
    }

    @Test func shortestRateLimitIsReported() {
        var plan = plan(4, attempts: 4)
        _ = steps(
            &plan,
            failing: [
                failure(.upstreamStatus(429), retryAfter: "9", message: "late"),
                failure(.upstreamStatus(503), message: "5xx"),
                failure(.upstreamStatus(429), retryAfter: "2", message: "soon"), failure(.connect, message: "last"),
            ])
        let told = plan.conclusion(model: "m", at: 0)
        #expect(told.message == "soon")
        #expect(told.headerFields[.retryAfter] == "2")
        #expect(told.headerFields[.xShouldRetry] == "false")
        // Another process can serve the retry.
        #expect(plan.conclusion(model: "m", at: 0, isClosing: true).headerFields[.xShouldRetry] == nil)
    }

    @Test func longerRateLimitDoesNotReplaceAShorterOne() {
        var plan = plan(3, attempts: 3)
        _ = steps(
            &plan,
            failing: [
                failure(.upstreamStatus(429), retryAfter: "2", message: "soon"),
                failure(.upstreamStatus(429), retryAfter: "9", message: "late"),
                failure(.upstreamStatus(429), message: "some day"),
            ])
        #expect(plan.conclusion(model: "m", at: 0).message == "soon")
    }

    @Test func latestOfOtherFailuresIsReported() {
        var plan = plan(2, attempts: 2)
        _ = steps(&plan, failing: [failure(.upstreamStatus(500), message: "a"), failure(.connect, message: "b")])
        #expect(plan.conclusion(model: "m", at: 0).message == "b")
    }

    @Test func attemptsRemainUntilTheLast() {
        var plan = plan(2, attempts: 2)
        _ = plan.begin()
        plan.sent()
        #expect(plan.hasAttemptLeft)
        _ = plan.fail(failure(.connect), random: 0, mayRetry: { true })
        plan.sent()
        #expect(!plan.hasAttemptLeft)
        var single = AttemptPlan([AttemptPlan.Candidate(0)], RetryRules(attempts: 2, faults: []))
        _ = single.begin()
        single.sent()
        #expect(!single.hasAttemptLeft)
        // Another key can be tried regardless of the configured faults.
        var keys = AttemptPlan([AttemptPlan.Candidate(0, keys: 2)], RetryRules(attempts: 2, faults: []))
        _ = keys.begin()
        keys.sent()
        #expect(keys.hasAttemptLeft)
    }
}
