import Testing

@testable import HeadgateDialects

@Suite("The reader of Responses streams")
struct ResponsesStreamReaderTests {
    private func read(_ documents: String...) throws -> [ResponseEvent] {
        var reader = ResponsesStreamReader()
        var events: [ResponseEvent] = []
        for document in documents { reader.read(try JSONValue(Array(document.utf8)), into: &events) }
        #expect(!reader.mayEnd)
        return events
    }

    private static let created = #"{"type":"response.created","response":{"id":"resp_1","model":"m"}}"#
    private static let started = ResponseEvent.started(id: "resp_1", model: "m")
    private static let completed = #"{"type":"response.completed","response":{"status":"completed","output":[]}}"#

    @Test("reads a text and its usage")
    func text() throws {
        let events = try read(
            Self.created, #"{"type":"response.in_progress","response":{"id":"resp_1"}}"#,
            #"{"type":"response.output_item.added","output_index":0,"item":{"type":"message","content":[]}}"#,
            #"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"a"}"#,
            #"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"é"}"#,
            #"{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"aéb"}"#,
            #"{"type":"response.refusal.delta","output_index":0,"content_index":1,"delta":"no"}"#,
            #"""
            {"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[
             {"type":"output_text","text":"aéb"},{"type":"refusal","refusal":"no"}]}}
            """#,
            #"""
            {"type":"response.completed","response":{"status":"completed","output":[{"type":"message"}],
             "usage":{"input_tokens":5,"input_tokens_details":{"cached_tokens":2,"cache_write_tokens":1},
             "output_tokens":7,"output_tokens_details":{"reasoning_tokens":3},"total_tokens":12}}}
            """#, Self.completed)
        let usage = TokenUsage(input: 5, cachedInput: 2, cacheWrites: 1, output: 7, reasoning: 3)
        #expect(
            events == [
                Self.started, .text("a"), .text("é"), .text("b"), .refusal("no"), .usage(usage), .finished(.stop),
                .ended,
            ])
    }

    @Test("reads calls with alternating fragments")
    func calls() throws {
        let events = try read(
            Self.created,
            #"{"type":"response.output_item.added","output_index":0,"item":{"type":"web_search_call","id":"ws"}}"#,
            #"{"type":"response.web_search_call.searching","output_index":0,"item_id":"ws"}"#,
            #"""
            {"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"fc_1",
             "call_id":"c1","name":"f","arguments":""}}
            """#,
            #"""
            {"type":"response.output_item.added","output_index":2,"item":{"type":"custom_tool_call","call_id":"c2",
             "name":"p","input":""}}
            """#,
            #"{"type":"response.function_call_arguments.delta","output_index":1,"item_id":"x","delta":"{\"a\""}"#,
            #"{"type":"response.custom_tool_call_input.delta","output_index":2,"delta":"***"}"#,
            #"{"type":"response.function_call_arguments.delta","output_index":1,"item_id":"y","delta":":1}"}"#,
            #"{"type":"response.function_call_arguments.done","output_index":1,"arguments":"{\"a\":1}"}"#,
            #"""
            {"type":"response.output_item.done","output_index":2,"item":{"type":"custom_tool_call","call_id":"c2",
             "name":"p","input":"*** End"}}
            """#, Self.completed)
        #expect(
            events == [
                Self.started, .toolCall(index: 0, id: "c1", name: "f", isCustom: false),
                .toolCall(index: 1, id: "c2", name: "p", isCustom: true), .toolArguments(index: 0, #"{"a""#),
                .toolArguments(index: 1, "***"), .toolArguments(index: 0, ":1}"), .toolArguments(index: 1, " End"),
                .finished(.toolCalls), .ended,
            ])
    }

    @Test("reads reasoning in paragraphs, once, and its seal")
    func reasoning() throws {
        let events = try read(
            Self.created,
            #"{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"a"}"#,
            #"{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"b"}"#,
            #"{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":1,"delta":"c"}"#,
            #"{"type":"response.reasoning_text.delta","output_index":0,"content_index":0,"delta":"raw"}"#,
            #"""
            {"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","summary":[{"text":"ab"},
             {"text":"cd"}],"content":[{"text":"raw"}],"encrypted_content":"E"}}
            """#,
            #"{"type":"response.reasoning_text.delta","output_index":1,"content_index":0,"delta":"x"}"#,
            #"{"type":"response.reasoning_text.delta","output_index":2,"content_index":0,"delta":"y"}"#,
            Self.completed)
        #expect(
            events == [
                Self.started, .reasoning("a"), .reasoning("b"), .reasoning("\n\nc"), .reasoning("d"),
                .reasoningSeal(ReasoningSeal(.responses, "E")), .reasoning("x"), .reasoning("\n\ny"), .finished(.stop),
                .ended,
            ])
    }

    @Test("reads everything from the end if nothing else arrived")
    func endOnly() throws {
        let events = try read(
            #"""
            {"type":"response.completed","response":{"id":"resp_1","model":"m","status":"completed","output":[
             {"type":"reasoning","summary":[],"encrypted_content":"E"},
             {"type":"message","content":[{"type":"output_text","text":"a"}]},
             {"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]}}
            """#)
        #expect(
            events == [
                Self.started, .reasoningSeal(ReasoningSeal(.responses, "E")), .text("a"),
                .toolCall(index: 0, id: "c", name: "f", isCustom: false), .toolArguments(index: 0, "{}"),
                .finished(.toolCalls), .ended,
            ])
    }

    @Test(
        "reads why a response ended early, or failed",
        arguments: [
            (
                #"{"type":"response.incomplete","response":{"status":"incomplete","#
                    + #""incomplete_details":{"reason":"max_output_tokens"}}}"#,
                [.finished(.length), .ended]
            ),
            (
                #"{"type":"response.incomplete","response":{"status":"incomplete","#
                    + #""incomplete_details":{"reason":"content_filter"}}}"#,
                [.finished(.refused), .ended]
            ),
            (#"{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error"}}}"#, [.failed]),
            (#"{"type":"error","code":"x","message":"y"}"#, [.failed]), (#"{"error":{"message":"y"}}"#, [.failed]),
            (#"{"type":"response.completed","response":{"status":"failed"}}"#, [.failed]),
            (#"{"type":"keepalive"}"#, []), (#"{"type":"response.future","output_index":7}"#, []), ("{}", []),
            (#"{"error":null}"#, []),
        ] as [(String, [ResponseEvent])])
    func ends(document: String, expected: [ResponseEvent]) throws {
        #expect(try read(Self.created, document) == [Self.started] + expected)
    }
}
