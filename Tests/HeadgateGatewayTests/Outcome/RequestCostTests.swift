import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrices
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Costs of requests with known prices.
@Suite struct RequestCostTests {
    private typealias Plan = PlannedTransport.Plan

    /// Prices of `plain` in USD per million tokens: 10 for input and 100 for output. Cached input costs a tenth of
    /// input, and cache writes a quarter more.
    private static let prices = PriceList(own: [
        PriceEntry(
            name: "plain",
            price: TokenPrice(
                input: 10_000_000, cachedInput: 1_000_000, cacheWrite: 12_500_000, output: 100_000_000,
                longestPrompt: 1000),
            source: .file("prices.yaml:1")),
        PriceEntry(
            name: "inner", price: TokenPrice(input: 1_000_000, output: 1_000_000), source: .file("prices.yaml:2")),
    ])

    private static func answer(_ usage: String) -> Plan {
        .json(#"{"choices":[{"index":0,"finish_reason":"stop"}],"usage":\#(usage)}"#)
    }

    private static let used = #"{"prompt_tokens":11,"completion_tokens":4}"#

    private func gateway(_ plan: Plan, metrics: CountedRequests? = nil) -> InProcessGateway {
        InProcessGateway(plan, metrics: metrics, prices: RequestCostTests.prices)
    }

    private func cost(_ running: InProcessGateway) throws -> String? { try running.log.members()["cost_usd"] }

    @Test func wholeResponseReportsItsCost() async throws {
        let running = gateway(Self.answer(Self.used))
        let answer = await running.chat()
        // The cost is 11 x 10 + 4 x 100 millionths of a dollar.
        #expect(answer.headerFields[.xHeadgateCostUSD] == "0.00051")
        #expect(running.log.all[0].contains(#","cost_usd":0.00051"#))
    }

    @Test func cachedTokensCostLess() async throws {
        let running = gateway(
            Self.answer(#"{"prompt_tokens":11,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":10}}"#))
        #expect(await running.chat().headerFields[.xHeadgateCostUSD] == "0.00042")
        #expect(try running.log.members()["cached_tokens"] == "10")
    }

    @Test func streamCostsItsReportedUsage() async throws {
        let usage = #"{"prompt_tokens":11,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":10}}"#
        let running = gateway(
            Plan(
                headerFields: [.contentType: "text/event-stream"],
                chunks: [
                    Plan.role, Plan.content("A"), Plan.finish, "data: {\"choices\":[],\"usage\":\(usage)}\n\n",
                    Plan.done,
                ]))
        let answer = await running.chat(stream: true)
        #expect(answer.headerFields[.xHeadgateCostUSD] == nil && answer.text.hasSuffix("data: [DONE]\n\n"))
        #expect(try cost(running) == "0.00042")
        #expect(try running.log.members()["cached_tokens"] == "10")
    }

    @Test(arguments: [
        // `any-thing` has no price, and neither has so long a prompt.
        ("any-thing", used), ("plain", #"{"prompt_tokens":1001,"completion_tokens":4}"#), ("any-thing", "null"),
    ]) func unknownCostIsNeverZero(_ model: String, _ usage: String) async throws {
        let metrics = CountedRequests()
        let running = gateway(Self.answer(usage), metrics: metrics)
        #expect(await running.chat(model: model).headerFields[.xHeadgateCostUSD] == nil)
        #expect(running.log.all[0].contains(#","cost_usd":null"#))
        let scraped = await running.ask(.get, "/metrics").text
        let name = model == "plain" ? "plain" : "any-*"
        #expect(scraped.contains("headgate_cost_unknown_requests_total{model=\"\(name)\",upstream=\"up\"} 1\n"))
        #expect(scraped.contains("headgate_cost_usd_total{model=\"\(name)\",upstream=\"up\"} 0.0\n"))
    }

    @Test func nameMatchedByAPatternHasItsOwnPrice() async throws {
        let price = PriceEntry(
            name: "any-one", price: TokenPrice(input: 1_000_000, output: 1_000_000), source: .file("prices.yaml:1"))
        let running = InProcessGateway(Self.answer(Self.used), prices: PriceList(own: [price]))
        #expect(await running.chat(model: "any-one").headerFields[.xHeadgateCostUSD] == "0.000015")
        #expect(await running.chat(model: "any-two").headerFields[.xHeadgateCostUSD] == nil)
    }

    @Test func embeddingsCostOnlyTheirPrompt() async throws {
        let running = gateway(.json(#"{"object":"list","data":[],"usage":{"prompt_tokens":11,"total_tokens":11}}"#))
        let answer = await running.ask(.post, "/v1/embeddings", body: #"{"model":"plain","input":"a"}"#)
        #expect(answer.headerFields[.xHeadgateCostUSD] == "0.00011")
    }

    @Test func upstreamsNameForTheModelDecides() async throws {
        let running = gateway(Self.answer(Self.used))
        #expect(await running.chat(model: "org/renamed").headerFields[.xHeadgateCostUSD] == "0.000015")
    }

    @Test func truncatedStreamHasAnUnknownCost() async throws {
        let usage = #"{"prompt_tokens":11,"completion_tokens":1}"#
        let running = gateway(
            Plan(
                headerFields: [.contentType: "text/event-stream"],
                chunks: [Plan.role, "data: {\"choices\":[],\"usage\":\(usage)}\n\n"],
                end: .failure(TransportError(.truncatedBody))))
        _ = await running.chat(stream: true)
        #expect(running.log.all[0].contains(#","cost_usd":null"#))
    }

    @Test func unservedRequestCostsNothing() async throws {
        for plan in [Plan.json("{}", status: 500), .json("{}", status: 401), .failing(.closedBeforeResponse)] {
            let metrics = CountedRequests()
            let running = gateway(plan, metrics: metrics)
            _ = await running.chat()
            _ = await running.chat(model: "unheard-of")
            #expect(running.log.all.allSatisfy { !$0.contains("cost_usd") })
            let scraped = await running.ask(.get, "/metrics").text
            #expect(!scraped.contains("headgate_cost"))
        }
    }

    @Test func withoutPricesNoCostIsComputed() async throws {
        for running in [
            InProcessGateway(Self.answer(Self.used)),
            InProcessGateway(Self.answer(Self.used), metrics: CountedRequests(), prices: nil),
        ] {
            #expect(await running.chat().headerFields[.xHeadgateCostUSD] == nil)
            #expect(!running.log.all[0].contains("cost"))
            #expect(
                running.gateway.snapshot.relay.pricing == nil
                    && running.gateway.middlewares(of: .createChatCompletion).isEmpty)
        }
    }

    @Test func sumsOfMetricsAreThoseOfTheLog() async throws {
        let running = gateway(Self.answer(Self.used), metrics: CountedRequests())
        for _ in 0..<3 { _ = await running.chat() }
        #expect(
            await running.ask(.get, "/metrics").text.contains(
                "headgate_cost_usd_total{model=\"plain\",upstream=\"up\"} 0.00153\n"))
    }

    @Test func fallbackIsPricedByItsOwnModel() async throws {
        let plan = Self.answer(Self.used)
        let routed = RoutedGateway([[.json("{}", status: 500)], [plan]], prices: RequestCostTests.prices) { model, _ in
            model.targets[0].model = "plain"
            model.targets[1].model = "inner"
        }
        #expect(await routed.chat(stream: false).headerFields[.xHeadgateCostUSD] == "0.000015")
    }

    @Test func twoModelsOfOneUpstreamAreDistinguished() async throws {
        let upstream = PlannedTransport([.json("{}", status: 500), Self.answer(Self.used)])
        let running = InProcessGateway(
            transport: upstream,
            upstreams: [
                UpstreamDefinition(
                    name: "up", baseURL: BaseURL(endpoint: .tls(host: "h", port: 443), pathPrefix: "/v1"),
                    credential: nil, transport: upstream)
            ],
            models: [
                ModelConfiguration(
                    name: "m",
                    targets: ["plain", "inner"].map { TargetConfiguration(upstream: "up", model: $0) },
                    retry: RoutedGateway.impatient)
            ], keys: [], prices: RequestCostTests.prices, state: GatewayState())
        let answer = await running.chat(model: "m", key: nil)
        #expect(answer.headerFields[.xHeadgateCostUSD] == "0.000015")
    }

    @Test func modelOnThisDeviceCostsNothing() async throws {
        let transport = PlannedTransport(Self.answer("null"))
        let running = InProcessGateway(
            transport: transport,
            upstreams: [
                UpstreamDefinition(
                    name: "device", kind: .onDevice,
                    baseURL: BaseURL(endpoint: .tls(host: "h", port: 443), pathPrefix: "/v1"), credential: nil,
                    transport: transport)
            ], models: [ModelConfiguration(name: "smollm2", upstream: "device")], keys: [], prices: PriceList())
        let answer = await running.ask(
            .post, "/v1/chat/completions", key: nil,
            body: #"{"model":"smollm2","messages":[{"role":"user","content":"a"}]}"#)
        #expect(answer.headerFields[.xHeadgateCostUSD] == "0", "\(answer)")
    }
}

@Suite struct CachedAnswerCostTests {
    @Test func answerFromTheCacheCostsNothing() {
        let price = PriceEntry(
            name: "m", price: TokenPrice(input: 1_000_000, output: 1_000_000), source: .file("prices.yaml:1"))
        let routing = ManualRouting(targets: 1, prices: PriceList(own: [price])) { model, _ in
            model.cache = CacheConfiguration()
        }
        let first = routing.chat(stream: false)
        let call = routing.upstreams[0].calls[0]
        call.respond(type: "application/json")
        call.body.send(
            #"{"choices":[{"index":0,"message":{"content":"A"},"finish_reason":"stop"}],"#
                + #""usage":{"prompt_tokens":2,"completion_tokens":1}}"#)
        call.body.finish()
        let second = routing.chat(stream: false)
        #expect(first.fields[.xHeadgateCostUSD] == "0.000003" && second.fields[.xHeadgateCostUSD] == "0")
        first.complete()
        second.complete()
        #expect(routing.log.all[0].contains(#""cost_usd":0.000003"#) && routing.log.all[1].contains(#""cost_usd":0}"#))
    }
}
