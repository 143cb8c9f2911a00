import Testing

@testable import HeadgateDialects

@Suite("A stream of Messages")
struct MessagesStreamReaderTests {
    private func read(_ documents: [String]) throws -> (events: [ResponseEvent], mayEnd: Bool) {
        var reader = MessagesStreamReader()
        var events: [ResponseEvent] = []
        for document in documents { reader.read(try JSONValue(Array(document.utf8)), into: &events) }
        return (events, reader.mayEnd)
    }

    private func start(_ index: Int, _ block: String) -> String {
        #"{"type":"content_block_start","index":\#(index),"content_block":\#(block)}"#
    }

    private func delta(_ index: Int, _ delta: String) -> String {
        #"{"type":"content_block_delta","index":\#(index),"delta":\#(delta)}"#
    }

    private func stop(_ index: Int) -> String { #"{"type":"content_block_stop","index":\#(index)}"# }

    @Test("is text, usage and an end")
    func text() throws {
        let (events, _) = try read([
            #"{"type":"message_start","message":{"id":"msg_1","model":"claude","usage":{"input_tokens":3,"#
                + #""cache_read_input_tokens":10,"cache_creation_input_tokens":5,"output_tokens":1}}}"#,
            start(0, #"{"type":"text","text":""}"#), #"{"type":"ping"}"#,
            delta(0, #"{"type":"text_delta","text":"He"}"#), delta(0, #"{"type":"text_delta","text":"llo"}"#),
            delta(0, #"{"type":"citations_delta","citation":{}}"#), #"{"type":"later_invention"}"#, stop(0),
            #"{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"#
                + #""usage":{"output_tokens":7,"output_tokens_details":{"thinking_tokens":2}}}"#,
            #"{"type":"message_stop"}"#,
        ])
        #expect(
            events == [
                .started(id: "msg_1", model: "claude"),
                .usage(TokenUsage(input: 18, cachedInput: 10, cacheWrites: 5, output: 1)), .text("He"), .text("llo"),
                .usage(TokenUsage(input: 18, cachedInput: 10, cacheWrites: 5, output: 7, reasoning: 2)),
                .finished(.stop), .ended,
            ])
    }

    @Test("replaces the usage instead of adding it")
    func cumulativeUsage() throws {
        let (events, _) = try read([
            #"{"type":"message_start","message":{"usage":{"input_tokens":0,"output_tokens":0}}}"#,
            #"{"type":"message_delta","delta":{},"usage":{"input_tokens":9,"cache_read_input_tokens":null,"output_tokens":4}}"#,
        ])
        #expect(events.last == .usage(TokenUsage(input: 9, output: 4)))
    }

    @Test("has calls with complete, fragmented or missing input")
    func toolCalls() throws {
        let (events, _) = try read([
            start(0, #"{"type":"tool_use","id":"a","name":"f","input":{}}"#),
            delta(0, #"{"type":"input_json_delta","partial_json":""}"#),
            delta(0, #"{"type":"input_json_delta","partial_json":"{\"x\":"}"#),
            delta(0, #"{"type":"input_json_delta","partial_json":"1}"}"#), stop(0),
            start(1, #"{"type":"tool_use","id":"b","name":"g","input":{}}"#), stop(1),
            start(2, #"{"type":"tool_use","id":"c","name":"h","input":{"y":2}}"#),
            #"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{}}"#,
        ])
        #expect(
            events == [
                .toolCall(index: 0, id: "a", name: "f", isCustom: false), .toolArguments(index: 0, "{\"x\":"),
                .toolArguments(index: 0, "1}"), .toolCall(index: 1, id: "b", name: "g", isCustom: false),
                .toolArguments(index: 1, "{}"), .toolCall(index: 2, id: "c", name: "h", isCustom: false),
                .toolArguments(index: 2, #"{"y":2}"#), .usage(TokenUsage()), .finished(.toolCalls),
            ])
    }

    @Test("has thinking with its seal, and hidden thinking")
    func thinking() throws {
        let (events, _) = try read([
            start(0, #"{"type":"thinking","thinking":"","signature":""}"#),
            delta(0, #"{"type":"thinking_delta","thinking":"hm"}"#),
            delta(0, #"{"type":"signature_delta","signature":"si"}"#),
            delta(0, #"{"type":"signature_delta","signature":"gn"}"#), stop(0),
            start(1, #"{"type":"redacted_thinking","data":"dark"}"#), stop(1),
            start(2, #"{"type":"thinking","thinking":"open","signature":"whole"}"#), stop(2),
            start(3, #"{"type":"text","text":"So"}"#), stop(3),
        ])
        #expect(
            events == [
                .reasoning("hm"), .reasoningSeal(ReasoningSeal(.messages, "sign")),
                .reasoningSeal(ReasoningSeal(.messages, "dark", isRedacted: true)), .reasoning("open"),
                .reasoningSeal(ReasoningSeal(.messages, "whole")), .text("So"),
            ])
    }

    @Test("hides the work of the provider's own tools")
    func serverTools() throws {
        let (events, _) = try read([
            start(0, #"{"type":"server_tool_use","id":"s","name":"web_search","input":{}}"#),
            delta(0, #"{"type":"input_json_delta","partial_json":"{}"}"#), stop(0),
            start(1, #"{"type":"web_search_tool_result","tool_use_id":"s","content":[]}"#), stop(1),
            start(2, #"{"type":"text","text":""}"#), delta(2, #"{"type":"text_delta","text":"a"}"#), stop(2),
        ])
        #expect(events == [.text("a")])
    }

    @Test(
        "ends for a reason",
        arguments: [
            ("end_turn", ResponseEnd.stop), ("max_tokens", .length), ("model_context_window_exceeded", .length),
            ("tool_use", .toolCalls), ("stop_sequence", .stopSequence("END")), ("pause_turn", .paused),
            ("refusal", .refused), ("later_invention", .stop),
        ])
    func ends(reason: String, end: ResponseEnd) throws {
        let (events, mayEnd) = try read([
            #"{"type":"message_delta","delta":{"stop_reason":"\#(reason)","stop_sequence":"END"}}"#,
            #"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#,
        ])
        #expect(events == [.finished(end)])
        #expect(mayEnd)
    }

    @Test("that refuses without a text has the reason")
    func refusal() throws {
        let end = #"{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"explanation":"No."}}}"#
        #expect(try read([end]).events == [.refusal("No."), .finished(.refused)])
        let text = start(0, #"{"type":"text","text":"I cannot"}"#)
        #expect(try read([text, stop(0), end]).events == [.text("I cannot"), .finished(.refused)])
    }

    @Test("without a reason has one by its end, and is not complete before")
    func missingReason() throws {
        let call = start(0, #"{"type":"tool_use","id":"a","name":"f"}"#)
        #expect(try read([call]).mayEnd == false)
        #expect(try read([call, #"{"type":"message_stop"}"#]).events.suffix(2) == [.finished(.toolCalls), .ended])
        #expect(try read([#"{"type":"message_stop"}"#]).events == [.finished(.stop), .ended])
    }

    @Test("reports errors in its own format, or in others'")
    func errors() throws {
        let own = #"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#
        #expect(try read([own, #"{"error":{"message":"x"}}"#, #"{"error":null}"#]).events == [.failed, .failed])
    }
}
