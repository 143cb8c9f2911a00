import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrices
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Budgets of keys, groups and the whole gateway, as clients see them.
@Suite struct BudgetedGatewayTests {
    /// A response with 900 tokens, which cost 0.0009 USD at one dollar per million.
    private static let answer =
        #"{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":400,"completion_tokens":500}}"#
    private static let prices = PriceList(own: [
        PriceEntry(name: "plain", price: TokenPrice(input: 1_000_000, output: 1_000_000), source: .builtIn)
    ])
    private let state = GatewayState()
    private let test = LimitSubject(kind: .key, name: "test")

    private func gateway(
        _ plan: PlannedTransport.Plan = .json(answer), key: BudgetConfiguration? = nil,
        group: BudgetConfiguration? = nil, all: BudgetConfiguration? = nil, ledger: (any UsageLedger)? = nil,
        metrics: (any MetricRecording)? = nil
    ) -> InProcessGateway {
        let transport = PlannedTransport(plan)
        let upstream = UpstreamDefinition(
            name: "up", baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"),
            credential: Secret(InProcessGateway.upstreamKey), transport: transport)
        var keys = Array(InProcessGateway.keys.prefix(2))
        keys[0].budget = key
        if group != nil { for index in keys.indices { keys[index].group = "team" } }
        return InProcessGateway(
            transport: transport, upstreams: [upstream],
            models: [
                ModelConfiguration(name: "plain", upstream: "up"), ModelConfiguration(name: "odd", upstream: "up"),
            ],
            keys: keys, groups: group.map { [GroupConfiguration(name: "team", budget: $0)] } ?? [], budget: all,
            metrics: metrics, prices: Self.prices, ledger: ledger,
            state: state)
    }

    private static func usd(_ picodollars: Int, strict: Bool = false) -> BudgetConfiguration {
        BudgetConfiguration(.usd(picodollars), every: .day, isStrict: strict)
    }

    private func restore(_ tokens: Int, _ picodollars: Int, key: String = "test") {
        var row = UsageRow(key)
        (row.promptTokens, row.cost) = (tokens, picodollars)
        let history = BudgetQuestion(.day, at: InProcessGateway.now / 1_000_000).history([row]) { _ in "team" }
        state.limits.withLock { $0.restore(history) }
    }

    @Test func exhaustedBudgetReportsItsNextStart() async {
        let running = gateway(key: Self.usd(2_500_000_000))
        var used: [String?] = []
        for _ in 0..<3 {
            let answer = await running.chat()
            #expect(answer.status == 200)
            used.append(answer.headerFields[.xHeadgateBudgetUsed])
        }
        #expect(used == [nil, nil, nil])
        let refused = await running.chat()
        #expect(refused.status == 429 && refused.isError(code: "budget_exceeded"), "\(refused)")
        #expect(
            refused.text.contains(
                "The budget of the key 'test' is used up: 0.0025 USD per day. It resets at 2027-01-16T00:00:00"))
        #expect(refused.headerFields[.retryAfter] == "57600" && refused.headerFields[.xShouldRetry] == "false")
        #expect(refused.headerFields[.xHeadgateBudgetUsed] == "1.08")
        #expect(running.transport.requests.count == 3)
        // The refusal precedes reading the body; another key still works.
        #expect(await running.ask(.post, "/v1/chat/completions", body: "no JSON").status == 429)
        #expect(await running.chat(key: InProcessGateway.limitedKey).status == 200)
    }

    @Test func warningStartsAtFourFifths() async {
        let running = gateway(key: BudgetConfiguration(.tokens(1000), every: .day))
        #expect(await running.chat().headerFields[.xHeadgateBudgetUsed] == nil)
        #expect(await running.chat().headerFields[.xHeadgateBudgetUsed] == "0.9")
    }

    @Test func budgetIsSharedByAGroupAndByAll() async {
        for (running, words) in [
            (gateway(group: Self.usd(1_700_000_000)), "budget of the group 'team'"),
            (gateway(all: Self.usd(1_700_000_000)), "budget of the gateway is used up"),
        ] {
            state.limits.withLock { $0 = LimitCounters() }
            #expect(await running.chat().status == 200)
            #expect(await running.chat(key: InProcessGateway.limitedKey).status == 200)
            let refused = await running.chat()
            #expect(refused.status == 429 && refused.text.contains(words), "\(refused)")
        }
    }

    @Test func unknownCostCountsOnlyInTokenBudgets() async {
        let usd = gateway(key: Self.usd(1))
        for _ in 0..<5 { #expect(await usd.chat(model: "odd").status == 200) }
        state.limits.withLock { $0 = LimitCounters() }
        let tokens = gateway(key: BudgetConfiguration(.tokens(1000), every: .day))
        for status in [200, 200, 429] { #expect(await tokens.chat(model: "odd").status == status) }
    }

    @Test func failedRequestCostsNothing() async {
        let running = gateway(.json("{}", status: 400), key: Self.usd(1))
        for _ in 0..<5 { #expect(await running.chat().status == 400) }
    }

    @Test func useBeforeARestartCounts() async {
        let running = gateway(key: Self.usd(1_000_000_000))
        restore(0, 1_000_000_000)
        #expect(await running.chat().isError(code: "budget_exceeded"))
        #expect(await running.chat(key: InProcessGateway.limitedKey).status == 200)
    }

    @Test func lateHistoryIsAdded() async {
        let running = gateway(key: Self.usd(1_000_000_000), group: Self.usd(.max))
        #expect(await running.chat().status == 200)
        restore(0, 100_000_000)
        #expect(await running.chat().isError(code: "budget_exceeded"))
    }

    @Test func strictBudgetRefusesUntilTheHistoryIsKnown() async {
        let ledger = NotedLedger()
        let running = gateway(key: Self.usd(1_000_000_000, strict: true), ledger: ledger)
        let refused = await running.chat()
        #expect(refused.status == 503 && refused.isError(code: "budget_unavailable"), "\(refused)")
        #expect(refused.text.contains("budget of the key 'test' is not known at the moment"))
        #expect(refused.headerFields[.retryAfter] == "5" && running.transport.requests.isEmpty)
        restore(0, 0)
        #expect(await running.chat().status == 200)
        ledger.isWorking = false
        #expect(await running.chat().status == 503)
    }

    @Test func streamInFlightIsNotCut() async {
        let usage =
            "data: {\"id\":\"c\",\"choices\":[],\"usage\":{\"prompt_tokens\":9000,\"completion_tokens\":9}}\n\n"
        typealias Plan = PlannedTransport.Plan
        let running = gateway(
            Plan(headerFields: Plan.events, chunks: [Plan.role, Plan.content("a"), Plan.finish, usage, Plan.done]),
            key: BudgetConfiguration(.tokens(1000), every: .day))
        let answer = await running.chat(stream: true)
        #expect(answer.status == 200 && answer.text.hasSuffix("[DONE]\n\n"))
        #expect(await running.chat().status == 429)
        state.limits.withLock { #expect($0.reserved(of: test) == 0) }
    }

    /// Such a count is replaced by an estimate, because charging it would lock the key out for years.
    @Test(
        arguments: ["9223372036854775807", "1099511627777", "-1", "9.3e18", "1e300"],
        [
            (
                "/v1/chat/completions",
                #"{"choices":[{"message":{"content":"12345678"},"finish_reason":"stop"}],"usage":{"prompt_tokens":#,"completion_tokens":#}}"#
            ),
            (
                "/v1/responses",
                #"{"id":"r","object":"response","status":"completed","output":[{"content":[{"text":"12345678"}]}],"usage":{"input_tokens":#,"output_tokens":#}}"#
            ),
        ])
    func impossibleCountIsIgnored(_ count: String, _ way: (path: String, answer: String)) async throws {
        let budget = BudgetConfiguration(.tokens(200_000), every: .day)
        let running = gateway(.json(way.answer.replacing("#", with: count)), key: budget)
        for _ in 0..<2 {
            let body = #"{"model":"plain","messages":[{"role":"user","content":"x"}],"input":"x"}"#
            #expect(await running.ask(.post, way.path, body: body).status == 200)
        }
        #expect(try running.log.members(of: 0)["completion_tokens"] == "2")
        let used = state.limits.withLock {
            $0.budgetUse(of: test, BudgetRule(budget), at: InProcessGateway.now / 1_000_000_000)?.used
        }
        #expect((20...100).contains(used ?? 0), "\(used ?? -1)")
    }

    @Test func budgetsAreShownWithTheStatus() async throws {
        let running = gateway(
            key: BudgetConfiguration(.tokens(1800), every: .day), group: Self.usd(9_000_000_000),
            all: Self.usd(9_000_000_000))
        // No use is known before the ledger is read.
        let before = await running.ask(.get, "/status/data").text
        #expect(before.contains(#""kind":"key","name":"test","unit":"tokens","every":"day","amount":1800,"until""#))
        #expect(before.contains(#""kind":"gateway","unit":"usd""#) && !before.contains(#""used":"#), "\(before)")
        _ = await running.chat()
        let after = await running.ask(.get, "/status/data").text
        #expect(
            after.contains(
                #""name":"test","unit":"tokens","every":"day","amount":1800,"used":900,"until":"2027-01-16T00:00:00.000Z""#
            ), "\(after)")
        #expect(after.contains(#""amount":0.009,"used":0.0009,"until""#))
    }

    /// The hour has just begun.
    @Test func budgetsAreMetrics() async {
        let running = gateway(
            key: BudgetConfiguration(.tokens(1800), every: .hour), all: Self.usd(9_000_000_000),
            metrics: CountedRequests())
        _ = await running.chat()
        let metrics = await running.ask(.get, "/metrics").text
        #expect(metrics.contains(#"headgate_budget_used_ratio{kind="key",name="test"} 0.5"#), "\(metrics)")
        #expect(metrics.contains(#"headgate_budget_used_ratio{kind="gateway"} 0.1"#))
    }
}
