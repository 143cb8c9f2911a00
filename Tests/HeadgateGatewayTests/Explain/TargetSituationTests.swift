import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

private let second: UInt64 = 1_000_000_000

@Suite struct TargetSituationTests {
    private let state = GatewayState()

    /// Returns the situation of a target with a breaker, two keys and a limit, after some events.
    private func situation(
        isAlone: Bool = false, takes: Bool = true, keys: Int = 2, _ note: (TargetLimits) -> Void = { _ in }
    ) -> TargetSituation {
        let credentials = (0..<keys).map { Secret("sk-\($0)-0123456789") }
        let configuration = UpstreamConfiguration(name: "a", kind: .openai)
        let definition = UpstreamDefinition(
            configuration, baseURL: BaseURL(endpoint: .tls(host: "a.example", port: 443), pathPrefix: "/v1"),
            credentials: credentials
        ) { _ in PlannedTransport(.json("{}")) }
        let limits = TargetLimits(
            nameHash: 1, health: state.targets.health(of: TargetName(upstream: "a", model: "m")),
            breaker: TargetLimits.Breaker(failures: 2, cooldown: 30 * second),
            keys: state.targets.keyRing(credentials, of: "a"),
            reach: state.targets.reach(of: "a"),
            flight: TargetLimits.Flight(queue: state.targets.queue(of: "a"), limit: 1, timeout: .seconds(10)),
            isLocal: false)
        note(limits)
        let target = ModelTarget([Upstream(definition)], limits: limits)
        return TargetSituation(
            target, of: .createChatCompletion, model: "m", takes: takes, isMeant: true, isAlone: isAlone, at: second)
    }

    private func expect(
        _ situation: TargetSituation, _ state: TargetSituation.State, isSkipped: Bool = false, _ reason: String,
        remaining: UInt64? = nil, location: SourceLocation = #_sourceLocation
    ) {
        #expect(situation.state == state, sourceLocation: location)
        #expect(situation.isSkipped == isSkipped, sourceLocation: location)
        #expect(situation.reason == reason, sourceLocation: location)
        #expect(situation.remaining == remaining, sourceLocation: location)
    }

    @Test func healthyTargetIsReady() {
        expect(situation(), .ready, "Nothing speaks against it.")
    }

    @Test func targetOfAnotherDialectNeverGetsTheRequest() {
        expect(
            situation(takes: false), .otherDialect, isSkipped: true,
            "It does not speak OpenAI's API, which this route does: it never gets the request.")
    }

    @Test func openBreakerSkipsTheTargetForAWhile() {
        func fail(_ limits: TargetLimits) {
            for _ in 0..<2 { limits.health.noteFailure(at: second / 2, threshold: 2, cooldown: 30 * second) }
        }
        expect(
            situation(fail), .breakerOpen, isSkipped: true,
            "Its breaker is open after 2 failures in a row: it gets nothing for another 29.5 s.",
            remaining: 29_500_000_000)
    }

    @Test func durationIsNotRoundedDown() {
        func fail(_ limits: TargetLimits) {
            for _ in 0..<2 { limits.health.noteFailure(at: second / 2 + 1, threshold: 2, cooldown: 30 * second) }
        }
        #expect(situation(fail).reason.hasSuffix("for another 29.6 s."))
    }

    @Test func breakerAfterItsCooldownIsHalfOpen() {
        func fail(_ limits: TargetLimits) {
            for _ in 0..<2 { limits.health.noteFailure(at: 1, threshold: 2, cooldown: 10) }
        }
        expect(
            situation(fail), .halfOpen, "Its breaker is half open: the next request shows whether it works again.")
    }

    @Test func targetIsSkippedIfAllItsKeysRestUnlessItIsTheOnlyOne() {
        func rest(_ limits: TargetLimits) {
            for key in 0..<limits.keys.count { limits.keys[key].refuse(until: UInt64(key + 3) * second) }
        }
        func limit(_ limits: TargetLimits) {
            for key in 0..<limits.keys.count {
                limits.keys[key].limit("m", until: UInt64(key + 3) * second, isAsked: false, at: second)
            }
        }
        let head = "The upstream has refused each of its 2 keys or wants fewer requests, for another 2 s: "
        expect(
            situation(limit), .keyResting, isSkipped: true, head + "it is the last resort until then.",
            remaining: 2 * second)
        #expect(situation(limit).isLastResort && !situation(takes: false, limit).isLastResort)
        expect(
            situation(rest), .keyResting, isSkipped: true, head + "it is passed over until then.",
            remaining: 2 * second)
        expect(
            situation(isAlone: true, rest), .keyResting,
            head + "the request is sent all the same, as there is no other target.", remaining: 2 * second)
    }

    @Test func oneKeyLeftIsEnough() {
        expect(situation { $0.keys[0].refuse(until: 9 * second) }, .ready, "Nothing speaks against it.")
    }

    @Test func unreachableUpstreamComesLast() {
        expect(
            situation { $0.reach.noteUnreachable(at: 0) }, .offline,
            "There was no route to it, or no such name: for another 4 s it comes after the others.",
            remaining: 4 * second)
    }

    @Test func failedHealthCheckPutsTheTargetLast() {
        expect(
            situation { $0.reach.noteCheck(isHealthy: false) }, .unhealthy,
            "Its last health check failed: it comes after the others.")
    }

    @Test func requestWouldWaitAtTheLimit() {
        let metadata = ServerRequestMetadata(
            connection: ConnectionEnds(localAddress: "127.0.0.1", localPort: 1, remoteAddress: ""),
            bodyLength: .fixed(0), context: RequestRecord(clock: { 0 }))
        var slot: UpstreamQueue.Slot?
        let situation = situation { limits in
            _ = limits.flight?.queue.enter(caller: "x", limit: 1, timeout: .seconds(1), metadata) { result in
                slot = try? result.get()
            }
        }
        #expect(slot != nil)
        expect(
            situation, .full, "1 request of at most 1 in flight, 0 waiting: this one would wait for up to 10 s.")
        #expect(situation.inFlight == 1 && situation.waiting == 0)
    }
}
