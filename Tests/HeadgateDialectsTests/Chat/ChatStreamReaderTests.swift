import Testing

@testable import HeadgateDialects

@Suite("Reading a stream of chat completions")
struct ChatStreamReaderTests {
    @Test("returns the chunks' content in order")
    func plain() throws {
        let events = try Chat.events([
            #"{"id":"","choices":[],"prompt_filter_results":[]}"#,
            #"{"id":"chatcmpl-1","model":"gpt","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}"#,
            #"{"id":"chatcmpl-1","choices":[{"index":0,"delta":{"reasoning_content":"hm"}}],"error":null}"#,
            #"{"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"a"}}]}"#,
            #"{"id":"chatcmpl-1","choices":[{"index":0,"delta":{"refusal":"no"},"finish_reason":""}]}"#,
            #"{"id":"chatcmpl-1","choices":[{"index":0,"delta":{},"finish_reason":"length"}]}"#,
            #"{"id":"chatcmpl-1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"#
                + #""prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":1}}}"#,
        ])
        #expect(
            events == [
                .started(id: "chatcmpl-1", model: "gpt"), .reasoning("hm"),
                .reasoningSeal(ReasoningSeal(.chat, .content, "")), .text("a"), .refusal("no"),
                .finished(.length), .usage(TokenUsage(input: 9, cachedInput: 4, output: 2, reasoning: 1)),
            ])
    }

    @Test("is complete without an end marker after a finish reason")
    func mayEnd() throws {
        var reader = ChatStreamReader()
        var events: [ResponseEvent] = []
        reader.read(["choices": [["delta": ["content": "a"]]]], into: &events)
        #expect(!reader.mayEnd)
        reader.read(["choices": [["delta": [:], "finish_reason": "stop"]]], into: &events)
        #expect(reader.mayEnd)
    }

    @Test("accepts only usage after a finish reason")
    func afterTheEnd() throws {
        let events = try Chat.events([
            #"{"id":"1","choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#,
            #"{"id":"1","choices":[{"delta":{"content":"b"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3}}"#,
        ])
        #expect(events.dropFirst() == [.text("a"), .finished(.stop), .usage(TokenUsage(input: 3))])
    }

    @Test(
        "recognizes the finish reasons of imitators",
        arguments: [
            ("eos", .stop), ("end_turn", .stop), ("max_tokens", .length), ("content_filter", .refused),
            ("tool_calls", .stop),
        ] as [(String, ResponseEnd)])
    func reasons(reason: String, end: ResponseEnd) throws {
        let events = try Chat.events([#"{"id":"1","choices":[{"delta":{},"finish_reason":"\#(reason)"}]}"#])
        #expect(events.last == .finished(end))
    }

    @Test(
        "reports an error in any place",
        arguments: [
            #"{"error":{"message":"no"}}"#, #"{"error":"no"}"#,
            #"{"id":"1","choices":[{"delta":{},"finish_reason":"error"}]}"#,
        ])
    func errors(chunk: String) throws { #expect(try Chat.events([chunk]).last == .failed) }

    @Test(
        "finds the usage in the places of other vendors",
        arguments: [
            #"{"choices":[{"delta":{},"usage":{"prompt_tokens":3}}]}"#,
            #"{"choices":[],"x_groq":{"usage":{"prompt_tokens":3}}}"#,
            #"{"choices":[{"delta":{"content":""}}],"usage":{"prompt_tokens":3}}"#,
        ])
    func usage(chunk: String) throws { #expect(try Chat.events([chunk]).last == .usage(TokenUsage(input: 3))) }

    @Test("assigns interleaved fragments to their calls")
    func calls() throws {
        let events = try Chat.events(deltas: [
            #"{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}]}"#,
            #"{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":"{"}},"#
                + #"{"index":0,"function":{"arguments":"{}"}}]}"#,
            #"{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":"}"}}]}"#,
        ])
        #expect(
            events == [
                .toolCall(index: 0, id: "a", name: "f", isCustom: false),
                .toolCall(index: 1, id: "b", name: "g", isCustom: false), .toolArguments(index: 1, "{"),
                .toolArguments(index: 0, "{}"), .toolArguments(index: 1, "}"),
            ])
    }

    @Test(
        "separates the calls of imitators",
        arguments: [
            // A new id at the same index.
            (
                [
                    #"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}"#,
                    #"{"tool_calls":[{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}]}"#,
                ], ["a f {}", "b g {}"]
            ),
            // No index, and arguments as an object.
            (
                [
                    #"{"tool_calls":[{"id":"a","function":{"name":"f","arguments":{"x":1}}},"#
                        + #"{"id":"b","function":{"name":"g","arguments":""}}]}"#,
                    #"{"tool_calls":[{"function":{"arguments":"{}"}}]}"#,
                ], [#"a f {"x":1}"#, "b g {}"]
            ),
            // Neither index nor id.
            (
                [
                    #"{"tool_calls":[{"function":{"name":"f","arguments":"{}"}},{"function":{"name":"g"}}]}"#,
                    #"{"tool_calls":[{"function":{"arguments":"{}"}}]}"#,
                ], ["call_chatcmpl9_0 f {}", "call_chatcmpl9_1 g {}"]
            ),
            // The older function call.
            (
                [#"{"function_call":{"name":"f"}}"#, #"{"function_call":{"arguments":"{}"}}"#],
                ["call_chatcmpl9_0 f {}"]
            ),
        ])
    func oddCalls(deltas: [String], expected: [String]) throws {
        var calls: [String] = []
        for event in try Chat.events(deltas: deltas) {
            if case .toolCall(let index, let id, let name, _) = event {
                #expect(index == calls.count)
                calls.append("\(id) \(name) ")
            }
            if case .toolArguments(let index, let fragment) = event { calls[index] += fragment }
        }
        #expect(calls == expected)
    }

    @Test("ends with tool calls even if the upstream's reason is stop")
    func stopWithCalls() throws {
        let events = try Chat.events([
            #"{"id":"1","choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},"#
                + #""finish_reason":"stop"}]}"#
        ])
        #expect(events.last == .finished(.toolCalls))
    }

    @Test("reads the seals of another gateway")
    func seals() throws {
        let events = try Chat.events(deltas: [
            #"{"reasoning_content":"hm"}"#,
            #"{"thinking_blocks":[{"type":"thinking","thinking":"hm","signature":"headgate:messages::s"}]}"#,
        ])
        #expect(events == [.reasoning("hm"), .reasoningSeal(ReasoningSeal(.messages, "s"))])
    }
}
