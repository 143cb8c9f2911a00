import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrices
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Requests for a compaction with `compaction: summarize`.
@Suite struct CompactionTests {
    typealias Plan = PlannedTransport.Plan

    private static let compact = "/v1/responses/compact"
    private static let trigger = #","input":[{"role":"user","content":"Hi"},{"type":"compaction_trigger"}]}"#
    private static let response =
        #"{"id":"resp_9","object":"response","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"They met."}]}],"usage":{"input_tokens":1000,"output_tokens":10}}"#

    private func gateway(_ plan: Plan = .json(response), anthropic: Plan? = nil) -> DialectGateway {
        DialectGateway(plan, anthropic: anthropic ?? .json(LocalTurnTests.message), compaction: .summarize)
    }

    @Test func routeIsAQuestionInTheUpstreamsFormat() async throws {
        let gateway = gateway()
        let own = await gateway.post(Self.compact, #"{"model":"org/renamed","input":"hi","stream":true}"#)
        #expect(own.status == 200 && own.text.contains(#""object":"response.compaction""#), "\(own.text)")
        #expect(own.text.contains(#""encrypted_content":"headgate:compaction:"#) && !own.text.contains("They met."))
        let sent = try #require(gateway.openAI.requests.first)
        #expect(sent.head.path == "/v1/responses" && sent.body.contains(#""model":"inner""#))
        #expect(sent.body.contains(#""max_output_tokens":4096"#) && !sent.body.contains(#""stream":true"#))
        let other = await gateway.post(Self.compact, #"{"model":"claude","input":"hi"}"#)
        #expect(other.status == 200 && other.text.contains("headgate:compaction:"), "\(other.text)")
        #expect(gateway.anthropic.requests.map(\.head.path) == ["/v1/messages"])
    }

    @Test func providerThatCompactsIsAskedForIt() async {
        let gateway = gateway(.json(#"{"id":"resp_1","object":"response.compaction","output":[]}"#))
        let answer = await gateway.post(Self.compact, #"{"model":"deployed","input":"hi"}"#)
        #expect(answer.status == 200)
        #expect(gateway.azure.requests.map(\.head.path) == ["/openai/v1/responses/compact"])
    }

    @Test(arguments: ["plain", "claude"]) func triggerBecomesACompaction(_ model: String) async throws {
        let gateway = gateway()
        let answer = await gateway.post("/v1/responses", #"{"model":"\#(model)""# + Self.trigger)
        #expect(answer.status == 200 && answer.text.contains(#""type":"compaction""#), "\(answer.text)")
        #expect(gateway.sent.count == 1 && !gateway.sent[0].body.contains("compaction_trigger"))
    }

    @Test func otherRequestsAreRelayedAsTheyAre() async throws {
        let gateway = gateway()
        _ = await gateway.post("/v1/responses", #"{"model":"plain","input":"hi","x":1}"#)
        #expect(gateway.openAI.requests.map(\.body) == [#"{"model":"plain","input":"hi","x":1}"#])
    }

    @Test func compactionIsOpenedForAnUpstreamThatGetsRequestsAsTheyAre() async throws {
        let gateway = gateway()
        let made = await gateway.post(Self.compact, #"{"model":"plain","input":"hi"}"#)
        let start = try #require(made.text.firstRange(of: "headgate:compaction:")).lowerBound
        let seal = made.text[start...].prefix { $0 != "\"" }
        _ = await gateway.post(
            "/v1/responses",
            #"{"model":"plain","input":[{"type":"compaction","encrypted_content":"\#(seal)"}]}"#)
        let sent = try #require(gateway.openAI.requests.last)
        #expect(sent.body.contains("They met.") && !sent.body.contains("headgate:"))
    }

    @Test func upstreamThatWritesNothingIsAnErrorOfTheDialect() async {
        let empty = #"{"id":"m","type":"message","content":[],"stop_reason":"end_turn"}"#
        let gateway = gateway(anthropic: .json(empty))
        let answer = await gateway.post(Self.compact, #"{"model":"claude","input":"hi"}"#)
        #expect(answer.status == 502 && answer.isError(code: "compaction_failed"), "\(answer.text)")
    }

    @Test func messagesGetABlock() async throws {
        let chat = gateway(.answer("They met."))
        let answer = await chat.message(#","compaction":{"type":"summarize"}"#, model: "plain")
        #expect(answer.text.contains(#""stop_reason":"compaction""#), "\(answer.text)")
        let claude = gateway()
        let own = await claude.message(#","compaction":{"type":"summarize"}"#)
        #expect(own.text.contains(#""stop_reason":"compaction""#), "\(own.text)")
        #expect(!claude.sent[0].body.contains(#""compaction""#))
    }

    @Test func summaryCostsWhatTheUpstreamCounts() async {
        let price = PriceEntry(
            name: "plain", price: TokenPrice(input: 1_000_000, output: 10_000_000), source: .file("prices.yaml:1"))
        let gateway = DialectGateway(.json(Self.response), compaction: .summarize, prices: PriceList(own: [price]))
        let answer = await gateway.post(Self.compact, #"{"model":"plain","input":"hi"}"#)
        #expect(answer.headerFields[.xHeadgateCostUSD] == "0.0011")
    }
}
