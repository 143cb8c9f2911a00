import Testing

@testable import HeadgateDialects

@Suite("A stream written for Messages")
struct MessagesStreamWriterTests {
    private var context: ResponseContext {
        var context = ResponseContext()
        context.id = "7"
        context.model = "claude"
        context.toolNames = ["a_b": "a.b"]
        return context
    }

    /// Returns the written events, each as its name and its document without the type.
    private func lines(_ events: [ResponseEvent]) throws -> [String] {
        var writer = MessagesStreamWriter(context)
        var output: [UInt8] = []
        for event in events { try writer.write(event, to: &output) }
        let written = String(decoding: output, as: UTF8.self)
        let blocks = written.split(separator: "\n\n", omittingEmptySubsequences: true)
        #expect(writer.eventCount == blocks.count)
        #expect(written.isEmpty || written.hasSuffix("\n\n"))
        return try blocks.map { block in
            let match = try #require(block.wholeMatch(of: #/event: (\w+)\ndata: (.*)/#))
            let document = try JSONValue(Array(match.output.2.utf8))
            #expect(document["type"]?.string == String(match.output.1))
            var rest = try #require(document.object)
            rest["type"] = nil
            return "\(match.output.1) \(JSONValue.object(rest).text)"
        }
    }

    private func start(_ index: Int, _ block: String) -> String {
        #"content_block_start {"index":\#(index),"content_block":\#(block)}"#
    }

    private func delta(_ index: Int, _ delta: String) -> String {
        #"content_block_delta {"index":\#(index),"delta":\#(delta)}"#
    }

    private func input(_ index: Int, _ json: String) -> String {
        delta(index, #"{"type":"input_json_delta","partial_json":\#(JSONValue.string(json).text)}"#)
    }

    private func stop(_ index: Int) -> String { #"content_block_stop {"index":\#(index)}"# }

    private let messageStart =
        #"message_start {"message":{"id":"msg_7","type":"message","role":"assistant","model":"claude","content":[],"#
        + #""stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,"cache_creation_input_tokens":0,"#
        + #""cache_read_input_tokens":0,"output_tokens":0}}}"#
    private let noUsage =
        #"{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}"#
    private let text = #"{"type":"text","text":""}"#
    private let thinking = #"{"type":"thinking","thinking":"","signature":""}"#

    private func end(_ reason: String, sequence: String = "null") -> [String] {
        [
            #"message_delta {"delta":{"stop_reason":"\#(reason)","stop_sequence":\#(sequence)},"usage":\#(noUsage)}"#,
            "message_stop {}",
        ]
    }

    private func call(_ index: Int, _ id: String, _ name: String, isCustom: Bool = false) -> ResponseEvent {
        .toolCall(index: index, id: id, name: name, isCustom: isCustom)
    }

    private func toolUse(_ index: Int, _ id: String, _ name: String) -> String {
        start(index, #"{"type":"tool_use","id":"\#(id)","name":"\#(name)","input":{}}"#)
    }

    @Test("begins at once, and ends with the final usage")
    func texts() throws {
        let lines = try lines([
            .started(id: "x", model: "gpt"), .text(""), .text("He\"\n"), .text("llo"), .finished(.stop),
            .usage(TokenUsage(input: 20, cachedInput: 5, cacheWrites: 4)),
            .usage(TokenUsage(output: 7, reasoning: 2)), .ended, .ended,
        ])
        #expect(
            lines == [
                messageStart, start(0, text), delta(0, #"{"type":"text_delta","text":"He\"\n"}"#),
                delta(0, #"{"type":"text_delta","text":"llo"}"#), stop(0),
                #"message_delta {"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":11,"#
                    + #""cache_creation_input_tokens":4,"cache_read_input_tokens":5,"output_tokens":7,"#
                    + #""output_tokens_details":{"thinking_tokens":2}}}"#, "message_stop {}",
            ])
        #expect(try self.lines([.started(id: nil, model: nil)]) == [messageStart])
    }

    @Test("has an empty text if the model says nothing")
    func nothing() throws {
        let lines = try lines([.started(id: nil, model: nil), .finished(.stop), .ended])
        #expect(lines == [messageStart, start(0, text), stop(0)] + end("end_turn"))
    }

    @Test("never has more than one block open")
    func kinds() throws {
        let lines = try lines([
            .reasoning("hm"), .text("a"), .refusal("no"), call(0, "1", "f"), .toolArguments(index: 0, "{}"),
            .text("b"), .reasoning("x"), .finished(.toolCalls), .ended,
        ])
        #expect(
            lines == [
                messageStart, start(0, thinking), delta(0, #"{"type":"thinking_delta","thinking":"hm"}"#),
                delta(0, #"{"type":"signature_delta","signature":"headgate:chat::"}"#), stop(0), start(1, text),
                delta(1, #"{"type":"text_delta","text":"a"}"#), stop(1), start(2, text),
                delta(2, #"{"type":"text_delta","text":"no"}"#), stop(2), toolUse(3, "1", "f"), input(3, "{}"),
                stop(3), start(4, text), delta(4, #"{"type":"text_delta","text":"b"}"#), stop(4), start(5, thinking),
                delta(5, #"{"type":"thinking_delta","thinking":"x"}"#),
                delta(5, #"{"type":"signature_delta","signature":"headgate:chat::"}"#), stop(5),
            ] + end("tool_use"))
    }

    @Test("seals thinking, its own and that of others")
    func seals() throws {
        let lines = try lines([
            .reasoning("hm"), .reasoningSeal(ReasoningSeal(.messages, "s")), .reasoning("and"),
            .reasoningSeal(ReasoningSeal(.messages, "d", isRedacted: true)),
            .reasoningSeal(ReasoningSeal(.responses, "e")),
        ])
        #expect(
            lines == [
                messageStart, start(0, thinking), delta(0, #"{"type":"thinking_delta","thinking":"hm"}"#),
                delta(0, #"{"type":"signature_delta","signature":"s"}"#), stop(0), start(1, thinking),
                delta(1, #"{"type":"thinking_delta","thinking":"and"}"#),
                delta(1, #"{"type":"signature_delta","signature":"headgate:chat::"}"#), stop(1),
                start(2, #"{"type":"redacted_thinking","data":"d"}"#), stop(2), start(3, thinking),
                delta(3, #"{"type":"signature_delta","signature":"headgate:responses::e"}"#), stop(3),
            ])
    }

    @Test("has calls in sequence, each as it arrives")
    func calls() throws {
        let lines = try lines([
            call(0, "1", "a_b"), .toolArguments(index: 0, ""), .toolArguments(index: 0, "{\"x\":\"}\\\""),
            .toolArguments(index: 0, "\"}"), call(1, "2", "g"), .toolArguments(index: 1, "{\"y\":"),
            .toolArguments(index: 0, "\n"), .toolArguments(index: 1, "[]}"), .finished(.stop), .ended,
        ])
        #expect(
            lines == [
                messageStart, toolUse(0, "1", "a.b"), input(0, "{\"x\":\"}\\\""), input(0, "\"}"), stop(0),
                toolUse(1, "2", "g"), input(1, "{\"y\":"), input(1, "[]}"), stop(1),
            ] + end("tool_use"))
    }

    @Test("holds the fragments of later calls until the earlier ones are complete")
    func interleavedCalls() throws {
        let lines = try lines([
            call(0, "1", "f"), call(1, "2", "g"), call(2, "3", "h"), .toolArguments(index: 1, "{\"b\":"),
            .toolArguments(index: 0, "{\"a\":"), .toolArguments(index: 2, "{}"), .toolArguments(index: 1, "1"),
            .toolArguments(index: 0, "2}"), .toolArguments(index: 1, "}"), .finished(.toolCalls), .ended,
        ])
        #expect(
            lines == [
                messageStart, toolUse(0, "1", "f"), input(0, "{\"a\":"), input(0, "2}"), stop(0),
                toolUse(1, "2", "g"), input(1, "{\"b\":1"), input(1, "}"), stop(1), toolUse(2, "3", "h"),
                input(2, "{}"), stop(2),
            ] + end("tool_use"))
    }

    @Test("has calls that never complete, too")
    func cutCalls() throws {
        let lines = try lines([
            call(0, "1", "f"), call(1, "2", "g"), .toolArguments(index: 1, "{\"b\":"), .finished(.length), .ended,
        ])
        #expect(
            lines == [
                messageStart, toolUse(0, "1", "f"), stop(0), toolUse(1, "2", "g"), input(1, "{\"b\":"), stop(1),
            ] + end("max_tokens"))
    }

    @Test("has free text as one member")
    func customCalls() throws {
        let lines = try lines([
            call(0, "1", "patch", isCustom: true), .toolArguments(index: 0, "a\"b"), .toolArguments(index: 0, "\nc"),
            call(1, "2", "p", isCustom: true), .toolArguments(index: 1, "{}"), .finished(.toolCalls), .ended,
        ])
        #expect(
            lines == [
                messageStart, toolUse(0, "1", "patch"), input(0, #"{"input":""#), input(0, #"a\"b"#),
                input(0, #"\nc"#), input(0, "\"}"), stop(0), toolUse(1, "2", "p"), input(1, #"{"input":""#),
                input(1, "{}"), input(1, "\"}"), stop(1),
            ] + end("tool_use"))
    }

    @Test(
        "ends for a reason",
        arguments: [
            (ResponseEnd.stop, "end_turn", "null"), (.stopSequence("X"), "stop_sequence", #""X""#),
            (.stopSequence(nil), "stop_sequence", "null"), (.length, "max_tokens", "null"),
            (.toolCalls, "end_turn", "null"), (.refused, "refusal", "null"), (.paused, "pause_turn", "null"),
        ])
    func ends(end: ResponseEnd, reason: String, sequence: String) throws {
        let lines = try lines([.text("a"), .finished(end), .ended])
        #expect(lines.suffix(2) == self.end(reason, sequence: sequence)[...])
        #expect(try self.lines([.refusal("a"), .finished(.stop), .ended]).suffix(2) == self.end("refusal")[...])
    }

    @Test("fails rather than losing or mixing fragments")
    func faults() throws {
        #expect(throws: ResponseFault.unexpected) { try lines([.toolArguments(index: 0, "{}")]) }
        #expect(throws: ResponseFault.unexpected) {
            try lines([call(0, "1", "f"), .toolArguments(index: 0, "{"), .text("a"), .toolArguments(index: 0, "}")])
        }
        let half = String(repeating: "x", count: MessagesCallQueue.capacity / 2)
        let held: [ResponseEvent] = [
            call(0, "1", "f"), call(1, "2", "g"), .toolArguments(index: 1, half), .toolArguments(index: 1, half),
        ]
        #expect(throws: ResponseFault.oversize) { try write(held + [.toolArguments(index: 1, "x")]) }
        try write(held + [.toolArguments(index: 0, "{}"), call(2, "3", "h"), .toolArguments(index: 2, half)])
    }

    private func write(_ events: [ResponseEvent]) throws {
        var writer = MessagesStreamWriter(context)
        var output: [UInt8] = []
        for event in events { try writer.write(event, to: &output) }
    }
}
