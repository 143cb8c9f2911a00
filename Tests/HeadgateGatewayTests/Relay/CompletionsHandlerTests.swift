import HTTPTypes
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Legacy completions: streams of chat completions with `text` instead of a delta.
@Suite struct CompletionsHandlerTests {
    private typealias Plan = PlannedTransport.Plan

    private func chunk(_ text: String, index: Int = 0, reason: String? = nil) -> String {
        #"{"id":"c1","object":"text_completion","model":"inner","choices":[{"index":\#(index),"text":"\#(text)","logprobs":null,"finish_reason":\#(reason.map { "\"\($0)\"" } ?? "null")}]}"#
    }

    private func ask(
        _ gateway: DialectGateway, model: String = "plain", stream: Bool = true, extra: String = ""
    ) async -> InProcessGateway.Response {
        await gateway.post(
            "/v1/completions", #"{"model":"\#(model)","stream":\#(stream),"prompt":["a","b"]\#(extra)}"#)
    }

    @Test func unrequestedUsageIsRemovedFromAStream() async throws {
        let passed = [chunk("Hel"), chunk("lo"), chunk("", reason: "length")]
        let stream = Chunk.events(passed[0], passed[1], passed[2])
        let gateway = DialectGateway(Plan(chunks: [stream + Chunk.events(Chunk.usage) + Chunk.done]))
        let answer = await ask(gateway, model: "org/renamed")
        #expect(answer.text == stream.replacing("inner", with: "org/renamed") + Chunk.done)
        #expect(answer.bodyEnds == ["complete"])
        let sent = try #require(gateway.openAI.requests.first)
        #expect(sent.head.path == "/v1/completions" && sent.operationID == "createCompletion")
        #expect(
            sent.body
                == #"{"stream_options":{"include_usage":true},"model":"inner","stream":true,"prompt":["a","b"]}"#)
        let line = try gateway.running.log.members()
        #expect(line["prompt_tokens"] == "9" && line["completion_tokens"] == "12" && line["finish_reason"] == "length")
    }

    @Test func requestedUsageIsPreserved() async {
        let stream = Chunk.events(chunk("a"), chunk("", reason: "stop"), Chunk.usage) + Chunk.done
        let gateway = DialectGateway(Plan(chunks: [stream]))
        let answer = await ask(gateway, extra: #","stream_options":{"include_usage":true}"#)
        #expect(answer.text == stream)
    }

    @Test func severalChoicesEndWhenAllHaveEnded() async throws {
        let one = Chunk.events(chunk("a"), chunk("b", index: 1), chunk("", index: 1, reason: "stop"))
        let both = one + Chunk.events(chunk("", reason: "stop"))
        let whole = await ask(DialectGateway(Plan(chunks: [both])), extra: #","n":2"#)
        #expect(whole.text == both + Chunk.done)
        let cut = await ask(DialectGateway(Plan(chunks: [one])), extra: #","n":2"#)
        #expect(cut.text.hasPrefix(one + #"data: {"error":{"message":"#) && !cut.text.contains("[DONE]"))
        #expect(cut.text.contains(#""code":"upstream_incomplete""#) && cut.bodyEnds == ["completeThenClose"])
    }

    @Test func wholeAnswerPassesUnderItsPublicModel() async throws {
        let document =
            #"{"id":"c","object":"text_completion","model":"inner","choices":[{"index":0,"text":"a","finish_reason":"stop"},{"index":1,"text":"b","finish_reason":"length"}],"usage":{"prompt_tokens":1,"completion_tokens":2}, "x":1.0}"#
        let gateway = DialectGateway(.json(document))
        let answer = await ask(gateway, model: "org/renamed", stream: false, extra: #","n":2"#)
        #expect(answer.status == 200 && answer.text == document.replacing("inner", with: "org/renamed"))
        #expect(gateway.openAI.requests.first?.body == #"{"model":"inner","stream":false,"prompt":["a","b"],"n":2}"#)
        #expect(try gateway.running.log.members()["completion_tokens"] == "2")
    }
}
