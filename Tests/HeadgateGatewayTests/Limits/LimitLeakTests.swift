import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Requests that end in every way, after which none is in flight or reserved.
@Suite struct LimitLeakTests {
    /// 10,000 requests in all.
    @Test(arguments: 0..<40)
    func everyEndReleasesTheLimits(_ seed: UInt64) {
        let storm = RequestStorm(seed)
        for _ in 0..<250 {
            storm.begin()
            for _ in 0..<Int.random(in: 0..<4, using: &storm.random) { storm.change() }
        }
        #expect(storm.most > 0)
        storm.end()
        storm.state.limits.withLock { counters in
            #expect(counters.inFlight(of: LimitSubject(kind: .model, name: "m")) == 0)
            #expect(counters.inFlight(of: .gateway) == 0 && counters.reserved(of: .gateway) == 0)
            // By this time, far in the future, every used limit has refilled.
            #expect(counters.isIdle(at: 1 << 60))
        }
        #expect(storm.routing.snapshot.relay.upstreams.allSatisfy { $0.activity.requestsInFlight == 0 })
    }
}

/// Concurrent requests in all of their phases.
private final class RequestStorm {
    typealias Plan = PlannedTransport.Plan

    let state = GatewayState()
    let routing: ManualRouting
    var random: SeededGenerator
    /// Highest number of concurrent requests.
    private(set) var most = 0
    private var open: [RoutedExchange] = []
    private let subject = LimitSubject(kind: .model, name: "m")

    init(_ seed: UInt64) {
        var random = SeededGenerator(state: seed)
        let isCached = Bool.random(using: &random)
        let onDisconnect = OnDisconnect.allCases.randomElement(using: &random) ?? .cancel
        routing = ManualRouting(
            targets: Int.random(in: 1...2, using: &random),
            budget: BudgetConfiguration(.tokens(1_000_000), every: .day), state: state
        ) { model, _ in
            model.limits = UsageLimits(
                requests: [RateLimit(1000, per: .second)], tokens: [RateLimit(9000, per: .second)], inFlight: 9)
            model.onDisconnect = onDisconnect
            if isCached { model.cache = CacheConfiguration(ttl: .seconds(60)) }
            model.retry.attempts = 2
        }
        self.random = random
    }

    func begin() {
        let paths = ["/v1/chat/completions", "/v1/messages", "/v1/responses", "/v1/embeddings"]
        let extra = ["", "", "", #","seed":\#(Int.random(in: 0..<9, using: &random))"#, ",", #","model":"m""#]
        open.append(
            routing.chat(
                stream: .random(using: &random), extra: extra.randomElement(using: &random) ?? "",
                path: Int.random(in: 0..<4, using: &random) == 0
                    ? paths.randomElement(using: &random) ?? paths[0] : paths[0]))
        most = max(most, state.limits.withLock { $0.inFlight(of: subject) })
    }

    /// Changes the state of a random request or attempt.
    func change() {
        if Int.random(in: 0..<9, using: &random) == 0 {
            return routing.clock.advance(by: .milliseconds(.random(in: 1...2000, using: &random)))
        }
        if Bool.random(using: &random) { return endOne() }
        let calls = routing.upstreams.flatMap { $0.calls.suffix(6) }
        guard let call = calls.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            call.fail([.connect, .closedBeforeResponse, .responseTimeout].randomElement(using: &random) ?? .connect)
        case 1: call.respond(429, type: "application/json")
        case 2: call.respond(type: "application/json")
        case 3, 4: call.respond()
        case 5: call.body.send(Plan.role + Plan.content("A"))
        case 6: call.body.send(Plan.finish + Plan.done)
        default: Bool.random(using: &random) ? call.body.finish() : call.body.fail(.truncatedBody)
        }
    }

    private func endOne() {
        guard !open.isEmpty else { return }
        end(open.remove(at: Int.random(in: open.indices, using: &random)))
    }

    /// Ends the exchange as connections do, with completion and cancellation in either order.
    private func end(_ exchange: RoutedExchange) {
        let ends: [RequestEnd] = [.finished, .clientGone, .upstreamFailed, .timedOut, .refused, .drained]
        let end = ends.randomElement(using: &random) ?? .drained
        if Bool.random(using: &random) { exchange.complete(end) }
        exchange.response == nil ? exchange.leave() : exchange.hangUp()
        exchange.complete(end)
    }

    func end() {
        while !open.isEmpty { endOne() }
        routing.clock.advance(by: .seconds(3600))
        state.endDisconnected()
    }
}
