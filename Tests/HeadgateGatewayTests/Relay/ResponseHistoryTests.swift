import Foundation
import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrices
import HeadgatePrimitives
import HeadgateStores
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Requests that compact a conversation of the Responses API, or count its tokens.
@Suite struct ResponseHistoryTests {
    typealias Plan = PlannedTransport.Plan

    private static let compact = "/v1/responses/compact"
    private static let count = "/v1/responses/input_tokens"

    private static let compacted =
        #"{"id":"resp_2","object":"response.compaction","output":[{"type":"compaction","encrypted_content":"x"}],"usage":{"input_tokens":1000,"output_tokens":10}}"#

    // MARK: Routes

    @Test(arguments: [compact, count]) func requestGoesToItsPathWithOnlyItsModelChanged(_ path: String) async throws {
        let gateway = DialectGateway(.json(Self.compacted))
        let answer = await gateway.post(path, #"{"model":"org/renamed","input":"hi","x":1}"#)
        #expect(answer.status == 200 && answer.text == Self.compacted)
        let sent = try #require(gateway.openAI.requests.first)
        #expect(sent.head.path == path && sent.body == #"{"model":"inner","input":"hi","x":1}"#)
        #expect(sent.head.headerFields[.accept] == "application/json")
    }

    @Test func pathIsThatOfNoDeployment() async {
        let gateway = DialectGateway()
        _ = await gateway.post(Self.compact, #"{"model":"dated","input":"hi"}"#)
        #expect(gateway.azure.requests.map(\.head.path) == ["/openai/responses/compact?api-version=2024-10-21"])
    }

    @Test func compactionIsPricedAndACountIsNot() async {
        let price = PriceEntry(
            name: "m", price: TokenPrice(input: 1_000_000, output: 10_000_000), source: .file("prices.yaml:1"))
        let gateway = RoutedGateway([[.json(Self.compacted)]], prices: PriceList(own: [price]))
        let body = #"{"model":"m","input":"hi"}"#
        let compacted = await gateway.running.ask(.post, Self.compact, body: body)
        #expect(compacted.headerFields[.xHeadgateCostUSD] == "0.0011")
        let counted = await gateway.running.ask(.post, Self.count, body: body)
        #expect(counted.status == 200 && counted.headerFields[.xHeadgateCostUSD] == nil)
    }

    // MARK: Unsupported upstreams

    @Test func modelWithoutCompactionIsRefused() async {
        let gateway = DialectGateway()
        let answer = await gateway.post(Self.compact, #"{"model":"claude","input":"hi"}"#)
        #expect(answer.status == 400 && answer.isError(code: "compaction_not_supported"))
        #expect(answer.text.contains(#""param":"model""#) && answer.text.contains("'claude'") && gateway.sent.isEmpty)
    }

    @Test(arguments: [404, 405, 501]) func nextTargetIsTriedIfAnUpstreamLacksTheRoute(
        _ status: Int
    ) async {
        let without = Plan.json(#"{"detail":"Not Found"}"#, status: status)
        let body = #"{"model":"m","input":"hi"}"#
        let alone = await RoutedGateway([[without]]).running.ask(.post, Self.compact, body: body)
        #expect(alone.status == 400 && alone.isError(code: "compaction_not_supported"))
        let two = await RoutedGateway([[without], [.json(Self.compacted)]]).running.ask(
            .post, Self.compact, body: body)
        #expect(two.status == 200 && two.headerFields[.xHeadgateUpstream] == "b")
    }

    @Test func targetOfAnotherFormatIsNotUsedToCompact() async {
        let gateway = RoutedGateway([[.answer("A")], [.json(Self.compacted)]]) { _, upstreams in
            upstreams[0] = UpstreamConfiguration(name: "a", kind: .anthropic)
        }
        let answer = await gateway.running.ask(.post, Self.compact, body: #"{"model":"m","input":"hi"}"#)
        #expect(answer.headerFields[.xHeadgateUpstream] == "b" && gateway.sent == [0, 1])
    }

    @Test(arguments: [
        #"{"error":{"message":"The model `m` does not exist","code":"model_not_found"}}"#,
        #"{"error":{"message":"Previous response with id 'resp_9' not found.","param":"previous_response_id"}}"#,
    ])
    func upstreamsNotFoundIsRelayed(_ words: String) async {
        for path in [Self.compact, Self.count] {
            let gateway = RoutedGateway([[.json(words, status: 404)]])
            let answer = await gateway.running.ask(.post, path, body: #"{"model":"m","input":"hi"}"#)
            #expect(answer.status == 404 && !answer.isError(code: "compaction_not_supported"))
        }
    }

    // MARK: Token counts

    @Test func tokensAreEstimatedForOtherFormats() async {
        let gateway = DialectGateway()
        let answer = await gateway.post(
            Self.count, #"{"model":"claude","input":"How many tokens are these words?","instructions":"Be brief."}"#)
        #expect(answer.status == 200 && answer.headerFields[.xHeadgateEstimated] == "true" && gateway.sent.isEmpty)
        #expect(answer.text == #"{"object":"response.input_tokens","input_tokens":16}"#)
        let bad = await gateway.post(Self.count, #"{"model":"claude","input":7}"#)
        #expect(bad.status == 400 && bad.text.contains(#""param":"input""#))
        let continued = await gateway.post(
            Self.count, #"{"model":"claude","input":"Hi","previous_response_id":"resp_1"}"#)
        #expect([400, 404].contains(continued.status) && continued.text.contains("previous_response_id"))
    }

    @Test func upstreamWithoutCountingIsAskedOnce() async {
        let gateway = RoutedGateway([[.json(#"{"detail":"Not Found"}"#, status: 404)]])
        var counts: Set<String> = []
        for _ in 0..<2 {
            let answer = await gateway.running.ask(.post, Self.count, body: #"{"model":"m","input":"one two three"}"#)
            #expect(answer.status == 200 && answer.headerFields[.xHeadgateEstimated] == "true")
            counts.insert(answer.text)
        }
        #expect(counts.count == 1 && gateway.sent == [1])
    }

    // MARK: History

    @Test(arguments: [compact, count]) func previousResponseBelongsOnlyToItsCreator(_ path: String) async {
        let gateway = DialectGateway(.json(#"{"id":"resp_1","object":"response","status":"completed"}"#))
        _ = await gateway.response()
        let body = #"{"model":"plain","input":"hi","previous_response_id":"resp_1"}"#
        #expect(await gateway.post(path, body).status == 200)
        let other = await gateway.post(path, body, key: InProcessGateway.limitedKey)
        #expect(other.status == 404 && other.isError(code: "previous_response_not_found"))
    }

    @Test func localConversationIsCountedAndCompactedWhole() async throws {
        let file = NSTemporaryDirectory() + "/headgate-history-\(UUID().uuidString).db"
        let store = try SQLiteResponseStore(
            file: file, largest: 1 << 20, now: { InProcessGateway.now / 1_000_000_000 }, report: { _ in })
        defer {
            store.close()
            for end in ["", "-wal", "-shm"] { unlink(file + end) }
        }
        let gateway = DialectGateway(
            .json(Self.compacted), anthropic: .json(LocalTurnTests.message),
            keptResponses: LocalResponses(store, lifetime: .seconds(60), largestRequest: 1 << 20))
        let words = String(repeating: "word ", count: 90)
        let made = await gateway.post("/v1/responses", #"{"model":"claude","input":"\#(words)"}"#)
        let start = try #require(made.text.firstRange(of: #""id":"resp_"#)).upperBound
        let id = "resp_" + made.text[start...].prefix { $0 != "\"" }
        let rest = #""input":"And?","previous_response_id":"\#(id)"}"#
        let counted = await gateway.post(Self.count, #"{"model":"claude","# + rest)
        let tokens = try #require(counted.text.firstMatch(of: /"input_tokens":(\d+)/).flatMap { Int($0.1) })
        #expect(tokens > 90)
        #expect(await gateway.post(Self.compact, #"{"model":"plain","# + rest).status == 200)
        let sent = try #require(gateway.openAI.requests.last)
        #expect(sent.body.contains("word word") && sent.body.contains("And?") && !sent.body.contains(id))
    }
}
