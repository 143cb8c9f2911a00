import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrices
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Requests whose upstream reports no usage.
@Suite struct UsageEstimationTests {
    private typealias Plan = PlannedTransport.Plan

    private static let price = PriceEntry(
        name: "plain", price: TokenPrice(input: 1_000_000, output: 1_000_000), source: .file("prices.yaml:1"))
    /// Eight bytes of text.
    private static let document =
        #"{"choices":[{"index":0,"message":{"content":"12345678"},"finish_reason":"stop"}]}"#
    private static let parts = [Plan.role, Plan.content("A"), Plan.content("B"), Plan.content("C"), Plan.finish]

    private let ledger = NotedLedger()
    private let metrics = CountedRequests()

    private func gateway(_ plan: Plan) -> InProcessGateway {
        InProcessGateway(plan, metrics: metrics, prices: PriceList(own: [Self.price]), ledger: ledger)
    }

    private func stream(_ chunks: [String]) -> Plan {
        Plan(headerFields: [.contentType: "text/event-stream"], chunks: chunks)
    }

    @Test func wholeResponseIsMarkedAsEstimated() async throws {
        let running = gateway(.json(Self.document))
        let answer = await running.chat()
        let entry = try #require(ledger.finished.first)
        let prompt = try #require(entry.promptTokens)
        #expect((10...40).contains(prompt) && entry.completionTokens == 2 && entry.source == .estimated)
        #expect(entry.cost == (prompt + 2) * 1_000_000 && ledger.prepared.last?.cost == entry.cost)
        #expect(answer.headerFields[.xHeadgateEstimated] == "true" && answer.headerFields[.xHeadgateCostUSD] != nil)
        let line = try running.log.members()
        #expect(line["token_source"] == "estimated" && line["prompt_tokens"] == "\(prompt)")
        let scraped = await running.ask(.get, "/metrics").text
        #expect(scraped.contains(#"headgate_cost_usd_total{model="plain",upstream="up"} 0.0"#), "\(scraped)")
        let estimated = #"headgate_cost_usd_total{model="plain",upstream="up",source="estimated"} "#
        #expect(scraped.contains(estimated + "\(Double(prompt + 2) / 1e6)"))
        #expect(scraped.contains(#"gen_ai_token_type="output",source="estimated"} 2.0"#), "\(scraped)")
        #expect(!scraped.contains(#"gen_ai_token_type="output"}"#))
        #expect(await running.ask(.get, "/status/data").text.contains(#""token_source":"estimated""#))
    }

    @Test func uncountedStreamIsAQuarterOfItsText() async throws {
        let running = gateway(
            stream([Plan.role, Plan.content("12345"), Plan.content("678901"), Plan.finish, Plan.done]))
        _ = await running.chat(stream: true)
        let entry = try #require(ledger.finished.first)
        #expect(entry.completionTokens == 3 && entry.source == .estimated && entry.cost != nil)
        #expect(try running.log.members()["completion_tokens"] == "3")
    }

    @Test func countedStreamIsNotEstimated() async throws {
        let usage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":4}}\n\n"
        let running = gateway(stream(Self.parts + [usage, Plan.done]))
        _ = await running.chat(stream: true)
        let entry = try #require(ledger.finished.first)
        #expect(entry.promptTokens == 11 && entry.completionTokens == 4 && entry.source == .upstream)
        #expect(!running.log.all[0].contains("token_source"))
        #expect(await !running.ask(.get, "/metrics").text.contains("source="))
    }

    @Test func truncatedStreamIsNotEstimated() async throws {
        let plan = Plan(
            headerFields: [.contentType: "text/event-stream"], chunks: [Plan.role, Plan.content("A")],
            end: .failure(TransportError(.truncatedBody)))
        _ = await gateway(plan).chat(stream: true)
        let entry = try #require(ledger.finished.first)
        #expect(entry.promptTokens == nil && entry.source == nil && entry.cost == nil)
    }

    @Test func reportedCountIsKept() async throws {
        _ = await gateway(
            .json(#"{"choices":[{"message":{"content":"1234"}}],"usage":{"prompt_tokens":11}}"#)
        ).chat()
        let entry = try #require(ledger.finished.first)
        #expect(entry.promptTokens == 11 && entry.completionTokens == 1 && entry.source == .estimated)
    }

    @Test func embeddingsHaveOnlyPromptTokens() async throws {
        _ = await gateway(.json(#"{"object":"list","data":[{"embedding":[1]}]}"#)).ask(
            .post, "/v1/embeddings", body: #"{"model":"plain","input":"1234"}"#)
        let entry = try #require(ledger.finished.first)
        #expect(entry.promptTokens == 8 && entry.completionTokens == nil && entry.source == .estimated)
    }

    @Test(arguments: [
        ("/v1/moderations", #"{"model":"plain","input":"a"}"#),
        ("/v1/responses", #"{"model":"plain","input":"a","previous_response_id":"resp_1"}"#),
    ]) func nonTextAndIncompleteRequestsAreNotEstimated(_ path: String, _ body: String) async throws {
        _ = await gateway(.json(#"{"id":"r","object":"response","status":"completed"}"#)).ask(.post, path, body: body)
        let entry = try #require(ledger.finished.first)
        #expect(entry.status == 200 && entry.promptTokens == nil && entry.source == nil && entry.cost == nil)
    }

    @Test func estimationIsOffWithoutAConsumer() async throws {
        let running = InProcessGateway(.json(Self.document), metrics: metrics)
        #expect(await running.chat().headerFields[.xHeadgateEstimated] == nil)
        #expect(!running.log.all[0].contains("tokens"))
    }

    @Test func laterUpstreamCountReplacesTheEstimate() {
        let routing = ManualRouting(targets: 1, ledger: ledger) { model, _ in model.onDisconnect = .drain }
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Self.parts.joined())
        exchange.complete(.clientGone)
        exchange.hangUp()
        let usage = #"{"prompt_tokens":7,"completion_tokens":9}"#
        call.body.send("data: {\"choices\":[],\"usage\":\(usage)}\n\n" + Plan.done)
        call.body.finish()
        #expect(ledger.finished.map(\.promptTokens) == [7] && ledger.finished.map(\.source) == [.upstream])
    }

    @Test func logMarksEstimates() {
        var outcome = Outcome(startedAt: 0)
        (outcome.model, outcome.promptTokens, outcome.completionTokens) = ("m", 12, 3)
        outcome.notes.isEstimated = true
        outcome.notes.cost = .known(15_000_000)
        var line: [UInt8] = []
        AccessLogText(isTerminal: true, isColored: false) { _ in 0 }.append(outcome, at: 0, to: &line)
        let text = String(decoding: line, as: UTF8.self)
        #expect(text.contains(" ~12+3 ") && text.contains(" ~$0.000015 "), "\(text)")
    }
}
