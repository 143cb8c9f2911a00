import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Requests of a gateway whose limits are in a shared store.
@Suite struct SharedTakeTests {
    private static let answer =
        #"{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4}}"#
    private let state = GatewayState()

    private func gateway(
        _ store: PlannedCounters, key: UsageLimits? = nil, budget: BudgetConfiguration? = nil,
        model: UsageLimits? = nil, ledger: (any UsageLedger)? = nil
    ) -> (gateway: InProcessGateway, limits: SharedLimits) {
        let transport = PlannedTransport(.json(Self.answer))
        let upstream = UpstreamDefinition(
            name: "up", baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"),
            credential: Secret(InProcessGateway.upstreamKey), transport: transport)
        var configured = ModelConfiguration(name: "plain", upstream: "up")
        configured.limits = model
        var keys = Array(InProcessGateway.keys.prefix(1))
        (keys[0].limits, keys[0].budget) = (key, budget)
        let limits = SharedLimits(store)
        let gateway = InProcessGateway(
            transport: transport, upstreams: [upstream], models: [configured], keys: keys, ledger: ledger,
            counters: limits, state: state)
        return (gateway, limits)
    }

    private var inFlight: Int {
        state.limits.withLock { $0.inFlight(of: LimitSubject(kind: .key, name: "test")) }
    }

    @Test func storeIsCalledOnceForAllLimits() async {
        let store = PlannedCounters(.admit)
        let (running, limits) = gateway(
            store, key: UsageLimits(requests: [RateLimit(2, per: .minute)], tokens: [RateLimit(10_000, per: .day)]),
            model: UsageLimits(inFlight: 3))
        let answer = await running.chat()
        #expect(answer.status == 200 && answer.headerFields[.init("x-ratelimit-limit-requests")!] == "2")
        #expect(answer.headerFields[.init("x-ratelimit-remaining-requests")!] == "1")
        let asked = store.asked.withLock(\.self)
        #expect(asked.count == 1 && asked[0].map(\.subject) == ["key:test", "model:plain"])
        #expect(asked[0].allSatisfy(\.isCounted) && asked[0][1].inFlight == 3 && asked[0][0].rates.count == 2)
        let settled = store.settled.withLock(\.self)
        // The request used 13 tokens, fewer than it had reserved.
        #expect(settled.count == 1 && settled[0].count == 2 && settled[0][0].rates.map { $0.change < 0 } == [true])
        #expect(inFlight == 0 && limits.countedAlone == 0)
    }

    @Test func explainRequestUsesNothing() async {
        let store = PlannedCounters(.admit)
        let (running, _) = gateway(store, key: UsageLimits(requests: [RateLimit(1, per: .day)]))
        #expect(await running.chat(headerFields: [.init("x-headgate-explain")!: "1"]).status == 200)
        #expect(store.asked.withLock(\.count) == 0)
    }

    @Test func refusalCausedByRoundingNamesTheRate() async {
        let store = PlannedCounters(.refuse(ahead: 0))
        let (running, _) = gateway(
            store, key: UsageLimits(requests: [RateLimit(1, per: .minute)]),
            budget: BudgetConfiguration(.tokens(1_000_000), every: .day))
        let refused = await running.chat()
        #expect(refused.status == 429)
        #expect(refused.text.contains("The limit of the key 'test' is reached: 1 request"), "\(refused.text)")
    }

    @Test func refusalOfTheStoreIsReportedAndCached() async {
        let store = PlannedCounters(.refuse(ahead: 30 * 16_000_000))
        let (running, _) = gateway(store, key: UsageLimits(requests: [RateLimit(1, per: .minute)]))
        let refused = await running.chat()
        #expect(refused.status == 429 && refused.headerFields[.retryAfter] == "30")
        #expect(refused.text.contains("The limit of the key 'test' is reached: 1 request"))
        #expect(refused.headerFields[.init("x-ratelimit-remaining-requests")!] == "0")
        // The refusal comes before the body is read, and without a call to the store.
        let again = await running.ask(.post, "/v1/chat/completions", body: "this is no JSON")
        #expect(again.status == 429 && again.headerFields[.retryAfter] == "30")
        #expect(again.headerFields[.init("x-ratelimit-remaining-requests")!] == "0")
        #expect(store.asked.withLock(\.count) == 1 && running.transport.requests.isEmpty)
    }

    @Test(arguments: [PlannedCounters.Plan.silence, .down])
    func gatewayCountsLocallyIfTheStoreDoesNotReply(_ plan: PlannedCounters.Plan) async {
        let (running, limits) = gateway(
            PlannedCounters(plan), key: UsageLimits(requests: [RateLimit(2, per: .day)], inFlight: 1),
            budget: BudgetConfiguration(.tokens(100_000), every: .day))
        for _ in 0..<2 { #expect(await running.chat().status == 200) }
        #expect(await running.chat().status == 429)
        #expect(limits.countedAlone == 3 && inFlight == 0)
    }

    @Test func budgetOfAnOutageIsSentWithTheNextRequest() async {
        let store = PlannedCounters(.down)
        let (running, _) = gateway(store, budget: BudgetConfiguration(.tokens(100_000), every: .day))
        for _ in 0..<2 { #expect(await running.chat().status == 200) }
        store.plan.withLock { $0 = .silence }
        #expect(await running.chat().status == 200)
        store.plan.withLock { $0 = .admit }
        for _ in 0..<2 { #expect(await running.chat().status == 200) }
        let told = store.asked.withLock { $0.map { $0[0].budget?.unshared } }
        // A charge without a reply is sent again.
        #expect(told == [26, 39, 0])
    }

    @Test func strictBudgetIsRefusedDuringAStoreOutage() async {
        let ledger = NotedLedger()
        let store = PlannedCounters(.down)
        let (running, _) = gateway(
            store, budget: BudgetConfiguration(.tokens(100_000), every: .day, isStrict: true), ledger: ledger)
        state.limits.withLock { $0.restore(BudgetQuestion(.day, at: InProcessGateway.now / 1_000_000).nothing) }
        let refused = await running.chat()
        #expect(refused.status == 503 && refused.isError(code: "budget_unavailable"))
        store.plan.withLock { $0 = .admit }
        #expect(await running.chat().status == 200)
    }

    @Test func departureDuringTheStoreCallReturnsItsAdmission() async {
        let store = PlannedCounters(.held)
        let (running, _) = gateway(store, key: UsageLimits(tokens: [RateLimit(10_000, per: .day)], inFlight: 1))
        let record = running.record()
        let body = Array(#"{"model":"plain","messages":[]}"#.utf8)
        let metadata = InProcessMetadata(
            connection: ConnectionEnds(localAddress: "127.0.0.1", localPort: 8686, remoteAddress: "127.0.0.9"),
            bodyLength: .fixed(body.count), context: record)
        let fields: HTTPFields = [
            .authorization: "Bearer \(InProcessGateway.clientKey)", .contentType: "application/json",
        ]
        let head = RequestHead(
            HTTPRequest(
                method: .post, scheme: "http", authority: "127.0.0.1:8686", path: "/v1/chat/completions",
                headerFields: fields))
        let responded = Locked(0)
        running.gateway.respond(to: head, body: .bytes(body), metadata: metadata) { _ in
            responded.withLock { $0 += 1 }
        }
        #expect(store.asked.withLock(\.count) == 1)
        record.complete(.clientGone)
        metadata.work?.cancel()
        #expect(responded.withLock(\.self) == 1, "at once, not when the store replies")
        metadata.work?.cancel()
        store.release()
        let settled = store.settled.withLock(\.self)
        #expect(settled.count == 1 && settled[0][0].isCounted && (settled[0][0].rates.first?.change ?? 0) < 0)
        #expect(inFlight == 0 && running.transport.requests.isEmpty)
        #expect(responded.withLock(\.self) == 1)
    }
}
