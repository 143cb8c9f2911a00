import Synchronization
import Testing

@testable import HeadgateDialects

@Suite("Writing responses for Ollama's clients")
struct OllamaResponseTests {
    /// Returns a context whose clock starts at 10 and advances by 1 on each reading.
    private func context() -> ResponseContext {
        var context = ResponseContext()
        context.model = "m:latest"
        let times = Times()
        context.clock = ResponseClock(startedAt: 10, now: times.next) { $1 += "T\($0 > 0 ? "" : "-")".utf8 }
        return context
    }

    private final class Times: Sendable {
        private let time = Atomic<Int64>(10)

        @Sendable func next() -> Int64 { time.wrappingAdd(1, ordering: .relaxed).newValue }
    }

    private func lines(
        _ events: [ResponseEvent], as format: ClientFormat = .ollamaChat, _ context: ResponseContext
    ) throws -> [String] {
        var writer = format.streamWriter(isSummary: false).init(context)
        var output: [UInt8] = []
        for event in events {
            try writer.write(event, to: &output)
            // Each write consists of whole lines.
            #expect(output.isEmpty || output.last == UInt8(ascii: "\n"))
        }
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(writer.eventCount == lines.count)
        return lines
    }

    @Test("a stream has one line for each delta, and only the last one is done")
    func stream() throws {
        let head = #"{"model":"m:latest","created_at":"T","#
        let lines = try lines(
            [
                .started(id: nil, model: nil), .reasoning("Hm"), .text(""), .text("a\n\"b"), .refusal("no"),
                .usage(TokenUsage(input: 3)), .finished(.stop), .usage(TokenUsage(output: 2)), .ended,
            ], Streams.context.named("m:latest"))
        #expect(
            lines.map { $0.replacing("1970-01-01T00:00:00Z", with: "T") } == [
                head + #""message":{"role":"assistant","content":"","thinking":"Hm"},"done":false}"#,
                head + #""message":{"role":"assistant","content":"a\n\"b"},"done":false}"#,
                head + #""message":{"role":"assistant","content":"no"},"done":false}"#,
                head
                    + #""message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":1,"#
                    + #""load_duration":0,"prompt_eval_count":3,"prompt_eval_duration":0,"eval_count":2,"eval_duration":1}"#,
            ])
    }

    @Test("reports the times to the first content and from there to the end")
    func times() throws {
        let line = try #require(
            try lines([.text("a"), .finished(.length), .ended], as: .ollamaGenerate, context()).last)
        // The clock is read for the first content, its line, the last line, and the end.
        #expect(
            line == #"{"model":"m:latest","created_at":"T","response":"","done":true,"done_reason":"length","#
                + #""total_duration":4,"load_duration":0,"prompt_eval_duration":1,"eval_duration":3}"#)
    }

    @Test("calls are complete, with objects for arguments, in a separate line")
    func calls() throws {
        var context = Streams.context
        context.toolNames = ["short": "long name"]
        let lines = try lines(
            [
                .toolCall(index: 0, id: "a", name: "short", isCustom: false), .toolArguments(index: 0, #"{"x""#),
                .toolCall(index: 1, id: "b", name: "g", isCustom: false), .toolArguments(index: 0, ":1}"),
                .finished(.toolCalls), .ended,
            ], context)
        #expect(lines.count == 2)
        #expect(
            lines[0].contains(
                #""tool_calls":[{"id":"a","function":{"index":0,"name":"long name","arguments":{"x":1}}},"#
                    + #"{"id":"b","function":{"index":1,"name":"g","arguments":{}}}]},"done":false"#))
        #expect(lines[1].contains(#""done":true,"done_reason":"stop""#))
    }

    @Test("never marks an unfinished stream as done")
    func cut() throws {
        let lines = try lines([.text("a"), .toolCall(index: 0, id: "a", name: "f", isCustom: false)], Streams.context)
        #expect(lines.count == 1)
        #expect(lines[0].contains(#""done":false"#))
    }

    @Test("holds back calls only up to a limit")
    func longCalls() {
        let fragment = String(repeating: "x", count: 3 << 20)
        #expect(throws: ResponseFault.oversize) {
            try lines(
                [
                    .toolCall(index: 0, id: "a", name: "f", isCustom: false), .toolArguments(index: 0, fragment),
                    .toolArguments(index: 0, fragment),
                ], Streams.context)
        }
    }

    @Test(
        "calls may take all of the limit, and not a byte more",
        arguments: [(0, true), (1, false)])
    func callsAtTheLimit(more: Int, isHeld: Bool) throws {
        let events: [ResponseEvent] = [
            .toolCall(index: 0, id: "a", name: "f", isCustom: false),
            .toolArguments(index: 0, String(repeating: "x", count: (4 << 20) - 130 + more)), .ended,
        ]
        if isHeld {
            #expect(try lines(events, Streams.context).count == 2)
        } else {
            #expect(throws: ResponseFault.oversize) { try lines(events, Streams.context) }
        }
    }

    @Test(
        "ends have Ollama's reasons",
        arguments: [
            (ResponseEnd.stop, "stop"), (.stopSequence("x"), "stop"), (.toolCalls, "stop"), (.length, "length"),
            (.paused, "length"), (.refused, "content_filter"),
        ])
    func reasons(end: ResponseEnd, reason: String) throws {
        let line = try lines([.finished(end), .ended], Streams.context).last
        #expect(line?.contains(#""done":true,"done_reason":"\#(reason)""#) == true)
    }

    @Test("a whole response has all of it in one document")
    func whole() {
        var response = ModelResponse()
        response.contents = [
            .reasoning(Reasoning("Hm")), .text("a"), .text("b"),
            .toolCall(ToolCall(id: "c", name: "f", arguments: #"{"x":{}}"#)),
            .toolCall(ToolCall(id: "d", name: "f", arguments: #"{"x":"#)),
        ]
        response.end = .refused
        response.usage = TokenUsage(input: 3, output: 2)
        let chat = JSONValue.object(OllamaResponseWriter<OllamaChatForm>.write(response, Streams.context)).text
        #expect(
            chat.contains(
                #""message":{"role":"assistant","content":"ab","thinking":"Hm","tool_calls":["#
                    + #"{"id":"c","function":{"index":0,"name":"f","arguments":{"x":{}}}},"#
                    + #"{"id":"d","function":{"index":1,"name":"f","arguments":{"invalid_arguments":"{\"x\":"}}}]},"#
                    + #""done":true,"done_reason":"content_filter""#))
        let prompt = JSONValue.object(OllamaResponseWriter<OllamaGenerateForm>.write(response, Streams.context)).text
        #expect(prompt.contains(#""response":"ab","thinking":"Hm","done":true"#))
    }
}

extension ResponseContext {
    fileprivate func named(_ model: String) -> ResponseContext {
        var context = self
        context.model = model
        return context
    }
}
