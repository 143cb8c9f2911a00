import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct RetryRulesTests {
    private let rules = RetryRules(attempts: 3)

    /// A refusal of the request itself, or of its key, is final.
    @Test(arguments: [(400, false), (401, false), (402, true), (404, true), (422, true)] as [(UInt16, Bool)])
    func upstreamCanRequestARetryOfItsRefusal(_ status: UInt16, _ isRetried: Bool) {
        #expect((rules.decision(on: .upstreamStatus(status), wish: true) == .sameTarget) == isRetried)
        for wish in [nil, false] { #expect(rules.decision(on: .upstreamStatus(status), wish: wish) != .sameTarget) }
    }

    @Test(arguments: [GatewayError.Cause.tls, .unreachable, .quotaExhausted, .contextOverflow, .invalidRequest])
    func wishChangesNothingAboutOtherFailures(_ cause: GatewayError.Cause) {
        let decision = rules.decision(on: cause)
        #expect(decision != .sameTarget && rules.decision(on: cause, wish: true) == decision)
    }

    @Test func refusedRetryGoesToAnotherTarget() {
        for cause in [GatewayError.Cause.upstreamStatus(503), .connectTimeout, .silenceTimeout] {
            #expect(rules.decision(on: cause) == .sameTarget && rules.decision(on: cause, wish: true) == .sameTarget)
            #expect(rules.decision(on: cause, wish: false) == .nextTarget)
        }
    }

    @Test func rateLimitGoesToAnotherTargetIfItIsNoConfiguredFault() {
        let none = RetryRules(attempts: 3, faults: [])
        #expect(none.decision(on: .upstreamStatus(429)) == .nextTarget)
        #expect(none.decision(on: .upstreamStatus(503)) == .never && none.decision(on: .connectTimeout) == .never)
    }
}
