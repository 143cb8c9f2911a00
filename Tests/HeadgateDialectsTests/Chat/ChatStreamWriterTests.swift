import Testing

@testable import HeadgateDialects

@Suite("Writing a stream of chat completions")
struct ChatStreamWriterTests {
    @Test("begins with the role and ends with the reason, the usage and the marker")
    func plain() throws {
        var context = Chat.context
        context.asksUsage = true
        let head = #"{"id":"chatcmpl-7","object":"chat.completion.chunk","created":5,"model":"smart","choices":["#
        let events = try Chat.stream(
            [
                .started(id: "up", model: "other"), .text("a\n\"é"), .usage(TokenUsage(input: 3)), .text(""),
                .finished(.stop), .usage(TokenUsage(output: 2)), .ended,
            ], context)
        #expect(
            events == [
                head + #"{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"finish_reason":null}],"#
                    + #""usage":null}"#,
                head + #"{"index":0,"delta":{"content":"a\n\"é"},"finish_reason":null}],"usage":null}"#,
                head + #"{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}"#,
                head + #"],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,"#
                    + #""prompt_tokens_details":{"cached_tokens":0},"#
                    + #""completion_tokens_details":{"reasoning_tokens":0}}}"#,
                "[DONE]",
            ])
    }

    @Test("omits the usage unless requested")
    func noUsage() throws {
        let events = try Chat.stream([.started(id: nil, model: nil), .usage(TokenUsage(input: 3)), .ended])
        #expect(events.count == 2)
        #expect(events.allSatisfy { !$0.contains("usage") })
    }

    @Test("writes calls in fragments, with the client's names and kinds")
    func calls() throws {
        var context = Chat.context
        context.toolNames = ["short": "long name"]
        context.customTools = ["patch"]
        let deltas = try Chat.deltas(
            [
                .toolCall(index: 0, id: "a", name: "short", isCustom: false), .toolArguments(index: 0, #"{"x""#),
                .toolCall(index: 1, id: "b", name: "patch", isCustom: false), .toolArguments(index: 1, #"{"input":"#),
                .toolArguments(index: 0, ":1}"), .toolArguments(index: 1, #""new\n"}"#),
                .toolCall(index: 2, id: "c", name: "g", isCustom: false),
                .toolCall(index: 3, id: "d", name: "patch", isCustom: true), .toolArguments(index: 3, "as it is"),
                .finished(.toolCalls),
            ], context)
        #expect(
            deltas == [
                #"{"tool_calls":[{"index":0,"id":"a","type":"function","#
                    + #""function":{"name":"long name","arguments":""}}]}"#,
                #"{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\""}}]}"#,
                #"{"tool_calls":[{"index":1,"id":"b","type":"custom","custom":{"name":"patch","input":""}}]}"#,
                #"{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}"#,
                #"{"tool_calls":[{"index":2,"id":"c","type":"function","function":{"name":"g","arguments":""}}]}"#,
                #"{"tool_calls":[{"index":3,"id":"d","type":"custom","custom":{"name":"patch","input":""}}]}"#,
                #"{"tool_calls":[{"index":3,"custom":{"input":"as it is"}}]}"#,
                #"{"tool_calls":[{"index":1,"custom":{"input":"new\n"}}]}"#,
                #"{"tool_calls":[{"index":2,"function":{"arguments":"{}"}}]}"#,
                "{}",
            ])
    }

    @Test("writes only the first call, in the legacy form, for a legacy client")
    func functionCall() throws {
        var context = Chat.context
        context.knowsFunctionCalls = true
        let events = try Chat.stream(
            [
                .toolCall(index: 0, id: "a", name: "f", isCustom: false),
                .toolCall(index: 1, id: "b", name: "g", isCustom: false), .toolArguments(index: 1, "{}"),
                .toolArguments(index: 0, #"{"x":1}"#), .finished(.toolCalls),
            ], context)
        #expect(events.count == 4)
        #expect(events[1].contains(#""delta":{"function_call":{"name":"f","arguments":""}}"#))
        #expect(events[2].contains(#""delta":{"function_call":{"arguments":"{\"x\":1}"}}"#))
        #expect(events[3].contains(#""finish_reason":"function_call""#))
    }

    @Test("gives the client the data to send reasoning back")
    func reasoning() throws {
        let deltas = try Chat.deltas([
            .reasoning("hm"), .reasoning("so"), .reasoningSeal(ReasoningSeal(.messages, "s")),
            .reasoningSeal(ReasoningSeal(.messages, "r", isRedacted: true)), .reasoning("unsealed"), .text("a"),
            .reasoning("x"), .reasoningSeal(ReasoningSeal(.messages, "t")), .refusal("no"),
        ])
        #expect(
            deltas == [
                #"{"reasoning_content":"hm"}"#, #"{"reasoning_content":"so"}"#,
                #"{"thinking_blocks":[{"type":"thinking","thinking":"hmso","signature":"headgate:messages::s"}]}"#,
                #"{"thinking_blocks":[{"type":"redacted_thinking","data":"headgate:messages:redacted:r"}]}"#,
                #"{"reasoning_content":"unsealed"}"#, #"{"content":"a"}"#, #"{"reasoning_content":"x"}"#,
                #"{"thinking_blocks":[{"type":"thinking","thinking":"x","signature":"headgate:messages::t"}]}"#,
                #"{"refusal":"no"}"#,
            ])
    }

    @Test("fails a response that would hold back too much")
    func bounds() throws {
        let fragment = String(repeating: "x", count: ChatStreamWriter.longestHeld / 2 + 1)
        #expect(throws: ResponseFault.oversize) {
            _ = try Chat.stream([.reasoning(fragment), .reasoning(fragment)])
        }
        // Fragments that are sent at once do not count.
        _ = try Chat.stream([.reasoning(fragment), .text(fragment), .reasoning(fragment), .text(fragment)])
    }

    @Test("writes nothing for an error, which the gateway reports")
    func failed() throws { #expect(try Chat.stream([.failed]).isEmpty) }
}
