import Foundation
import HTTPTypes
import HeadgateConfiguration
import HeadgateDialects
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Streams that are translated to the client's format.
@Suite struct TranslatedStreamTests {
    private typealias Plan = PlannedTransport.Plan

    private static func typed(_ events: String...) -> [String] {
        events.map { "data: \($0)\n\n" }
    }

    private let begun = TranslatedStreamTests.typed(
        #"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"c","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}"#,
        #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}"#)
    private let rest = TranslatedStreamTests.typed(
        #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo"}}"#,
        #"{"type":"content_block_stop","index":0}"#,
        #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}"#,
        #"{"type":"message_stop"}"#)

    private func chat(_ chunks: [String], end: Result<Void, TransportError>? = .success(())) async
        -> (response: InProcessGateway.Response, gateway: DialectGateway)
    {
        let gateway = DialectGateway(anthropic: Plan(headerFields: Plan.events, chunks: chunks, end: end))
        let response = await gateway.post(
            "/v1/chat/completions", #"{"model":"claude","stream":true,"messages":[{"role":"user","content":"x"}]}"#)
        return (response, gateway)
    }

    @Test func eventsOfAnthropicBecomeChunks() async throws {
        let (response, gateway) = await chat(begun + rest)
        #expect(response.status == 200)
        #expect(response.text.contains(#""content":"Hel""#) && response.text.contains(#""content":"lo""#))
        #expect(response.text.contains(#""finish_reason":"stop""#) && response.text.hasSuffix("data: [DONE]\n\n"))
        #expect(response.text.contains(#""object":"chat.completion.chunk""#) && !response.text.contains("event:"))
        let logged = try gateway.running.log.members(of: 0)
        #expect(logged["prompt_tokens"] == "3" && logged["completion_tokens"] == "9")
        #expect(logged["finish_reason"] == "stop" && logged["events"] == "5")
    }

    @Test func cutsDoNotMatter() async {
        let whole = (begun + rest).joined()
        let id = /chatcmpl-[a-z0-9]+/.ignoresCase()
        let expected = await chat(begun + rest).response.text.replacing(id, with: "ID")
        for size in [1, 2, 3, 7, 64] {
            let bytes = Array(whole.utf8)
            let chunks = stride(from: 0, to: bytes.count, by: size).map {
                String(decoding: bytes[$0..<min($0 + size, bytes.count)], as: UTF8.self)
            }
            #expect(await chat(chunks).response.text.replacing(id, with: "ID") == expected)
        }
    }

    @Test(arguments: [Result<Void, TransportError>.success(()), .failure(TransportError(.truncatedBody))])
    func truncatedStreamNeverLooksComplete(_ end: Result<Void, TransportError>) async {
        let (response, _) = await chat(begun, end: end)
        #expect(response.text.contains(#""content":"Hel""#))
        #expect(response.text.contains(#"data: {"error":{"#) && !response.text.contains("[DONE]"))
        #expect(!response.text.contains(#""finish_reason":"stop""#))
    }

    @Test func streamErrorHasTheClientsFormat() async {
        let error = #"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#
        let (response, _) = await chat(begun + ["event: error\ndata: \(error)\n\n"])
        #expect(response.text.contains(#"data: {"error":{"message":"Overloaded","type":"server_error""#))
        #expect(!response.text.contains("[DONE]"))
    }

    /// The count replaces the usage if the client disconnects before the usage arrives.
    @Test func modelOutputIsCounted() throws {
        var translation = StreamTranslation(from: .messages, to: .chat, ResponseContext())
        var output: [UInt8] = []
        let tool = #"{"type":"tool_use","id":"t","name":"look","input":{}}"#
        let others = Self.typed(
            #"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}"#,
            #"{"type":"content_block_start","index":1,"content_block":\#(tool)}"#,
            #"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}"#)
        for event in begun + others {
            let document = Array(event.dropFirst("data: ".count).dropLast(2).utf8)
            try document.withUnsafeBytes { try translation.receive($0, into: &output) }
        }
        // Bytes of `Hel`, `hm`, `look` and `{"a":1}`.
        #expect(translation.facts.textBytes == 16)
    }

    /// However the stream is split, none of its events begins a response.
    @Test func eventsOfAnotherFormatAreAStatus() async {
        let (response, _) = await chat([Plan.role, Plan.content("Hel"), Plan.done])
        #expect(response.status == 502 && response.text.contains(#""code":"upstream_incomplete""#))
    }

    private func ask(_ path: String, _ body: String, _ chunks: [String]) async -> InProcessGateway.Response {
        let gateway = DialectGateway(
            openAI: Plan(headerFields: Plan.events, chunks: chunks, end: .failure(TransportError(.truncatedBody))))
        return await gateway.post(path, body)
    }

    @Test func brokenStreamEndsInEachFormatsWay() async {
        let chunks = [Plan.role, Plan.content("Hel")]
        let message = await ask(
            "/v1/messages",
            #"{"model":"plain","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"x"}]}"#,
            chunks)
        #expect(message.text.contains("event: message_start") && message.text.contains(#""text":"Hel""#))
        #expect(message.text.contains("event: error") && !message.text.contains("message_stop"))
    }

    /// Some proxies add an end marker to any stream.
    @Test func endMarkerInsideACallIsNotAnEnd() async {
        let call =
            #"{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\"x"}}]}"#
        let message = await ask(
            "/v1/messages",
            #"{"model":"plain","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"x"}]}"#,
            [Plan.role, Plan.event(call), Plan.done])
        #expect(message.text.contains(#""name":"f""#) && message.text.contains("event: error"))
        #expect(!message.text.contains("message_stop"))
    }

    @Test func heldAttemptIsDroppedWhole() async {
        let gateway = RoutedGateway([
            [
                Plan(
                    headerFields: Plan.events, chunks: [begun[0], begun[1]],
                    end: .failure(TransportError(.truncatedBody)))
            ],
            [.stream("Other")],
        ]) { _, upstreams in upstreams[0] = UpstreamConfiguration(name: "a", kind: .anthropic) }
        let response = await gateway.running.ask(
            .post, "/v1/chat/completions",
            body: #"{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}]}"#)
        #expect(response.text.contains("Other") && response.text.hasSuffix("data: [DONE]\n\n"))
        #expect(response.text.components(separatedBy: #""role":"assistant""#).count == 2)
        #expect(gateway.sent == [1, 1])
    }
}
