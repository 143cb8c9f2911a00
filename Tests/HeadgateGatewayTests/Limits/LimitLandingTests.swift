import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A client that waits for one response before it sends the next request has one in flight, never two.
@Suite struct LimitLandingTests {
    private typealias Plan = PlannedTransport.Plan

    private static let answer = #"{"id":"c","choices":[{"index":0,"message":{},"finish_reason":"stop"}]}"#
    private let state = GatewayState()

    private func routing(_ onDisconnect: OnDisconnect = .cancel, isCached: Bool = false) -> ManualRouting {
        return ManualRouting(targets: 1, state: state) { model, _ in
            model.limits = UsageLimits(tokens: [RateLimit(100_000, per: .day)], inFlight: 1)
            model.onDisconnect = onDisconnect
            if isCached { model.cache = CacheConfiguration(ttl: .seconds(60)) }
        }
    }

    private var inFlight: Int { state.limits.withLock { $0.inFlight(of: LimitSubject(kind: .model, name: "m")) } }

    private var reserved: Bool { !state.limits.withLock { $0.isIdle(at: 1) } }

    @Test func deliveredWholeResponseIsNotInFlight() {
        let routing = routing()
        let first = routing.chat(stream: false)
        #expect(inFlight == 1)
        #expect(routing.chat(stream: false).status == 429)
        routing.upstreams[0].calls[0].respond(type: "application/json")
        routing.upstreams[0].calls[0].body.send(Self.answer)
        routing.upstreams[0].calls[0].body.finish()
        #expect(first.status == 200 && inFlight == 0)
        // The use is charged when the last byte has been sent.
        #expect(reserved)
        let second = routing.chat(stream: false)
        #expect(second.status == nil && inFlight == 1)
        first.complete()
        #expect(inFlight == 1)
        second.leave()
        #expect(inFlight == 0)
    }

    @Test func streamIsNotInFlightOnceItsEndIsSeen() {
        let routing = routing()
        let stream = routing.chat()
        var seen: [Int] = []
        stream.client.onPiece = { [state] _ in
            seen.append(state.limits.withLock { $0.inFlight(of: LimitSubject(kind: .model, name: "m")) })
        }
        let body = routing.upstreams[0].calls[0].body
        routing.upstreams[0].calls[0].respond()
        for piece in [Plan.role, Plan.content("A"), Plan.finish, Plan.done] { body.send(piece) }
        #expect(stream.client.text.hasSuffix("data: [DONE]\n\n") && stream.client.ends == ["complete"])
        #expect(seen.count > 1 && seen.dropLast().allSatisfy { $0 == 1 } && seen.last == 0, "\(seen)")
        stream.complete()
        #expect(inFlight == 0)
    }

    @Test func cachedResponseIsNotInFlightAfterItsEnd() {
        let routing = routing(isCached: true)
        let first = routing.chat(extra: #","seed":1"#)
        routing.upstreams[0].calls[0].respond()
        routing.upstreams[0].calls[0].body.send(Plan.role + Plan.content("A") + Plan.finish + Plan.done)
        #expect(first.client.ends == ["complete"] && inFlight == 0)
        let second = routing.chat(extra: #","seed":1"#)
        #expect(second.status == 200 && second.client.text.hasSuffix(Plan.done) && inFlight == 0)
        #expect(routing.upstreams[0].calls.count == 1)
    }

    @Test func failureIsNotInFlight() {
        let routing = routing()
        let failed = routing.chat(stream: false)
        routing.upstreams[0].calls[0].fail(.connect)
        #expect(failed.status == 502 && inFlight == 0)
        let broken = routing.chat()
        routing.upstreams[0].calls[1].respond()
        routing.upstreams[0].calls[1].body.send(Plan.role + Plan.content("A"))
        #expect(inFlight == 1)
        routing.upstreams[0].calls[1].body.fail(.truncatedBody)
        #expect(broken.client.ends == ["completeThenClose"] && inFlight == 0)
    }

    /// The key's limits apply before the body is read.
    @Test func requestRefusedForItsBodyIsNotInFlight() async {
        let transport = PlannedTransport(.json("{}"))
        let upstream = UpstreamDefinition(
            name: "up", baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"),
            credential: Secret(InProcessGateway.upstreamKey), transport: transport)
        var key = InProcessGateway.keys[0]
        key.limits = UsageLimits(inFlight: 1)
        let running = InProcessGateway(
            transport: transport, upstreams: [upstream], models: [ModelConfiguration(name: "plain", upstream: "up")],
            keys: [key], state: state)
        for _ in 0..<3 {
            let refused = await running.ask(.post, "/v1/chat/completions", body: "no JSON", completes: false)
            #expect(refused.status == 400)
        }
    }

    /// The request occupies its upstream with or without a client.
    @Test(arguments: [true, false])
    func requestWithoutItsClientIsStillInFlight(_ isStream: Bool) {
        let routing = routing(.drain)
        let left = routing.chat(stream: isStream)
        let call = routing.upstreams[0].calls[0]
        if isStream {
            call.respond()
            call.body.send(Plan.role + Plan.content("A"))
            left.hangUp()
        } else {
            left.leave()
        }
        #expect(!call.isCancelled && inFlight == 1)
        #expect(routing.chat().status == 429)
        if isStream {
            call.body.send(Plan.finish + Plan.done)
        } else {
            call.respond(type: "application/json")
            call.body.send(Self.answer)
            call.body.finish()
        }
        #expect(inFlight == 0)
    }
}
