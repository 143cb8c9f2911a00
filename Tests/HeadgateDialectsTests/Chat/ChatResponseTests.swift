import Testing

@testable import HeadgateDialects

@Suite("A whole chat completion")
struct ChatResponseTests {
    @Test("is written with all its content")
    func writing() {
        var context = Chat.context
        context.customTools = ["patch"]
        var response = ModelResponse()
        response.contents = [
            .reasoning(Reasoning("hm", seal: ReasoningSeal(.messages, "s"))), .text("a"), .text("b"),
            .toolCall(ToolCall(id: "1", name: "f", arguments: "")),
            .toolCall(ToolCall(id: "2", name: "patch", arguments: #"{"input":"new"}"#)),
        ]
        response.end = .toolCalls
        response.usage = TokenUsage(input: 3, cachedInput: 1, cacheWrites: 2, output: 4, reasoning: 1)
        #expect(
            JSONValue.object(ChatResponseWriter.write(response, context)).text
                == #"{"id":"chatcmpl-7","object":"chat.completion","created":5,"model":"smart","choices":[{"index":0,"#
                + #""message":{"role":"assistant","content":"ab","refusal":null,"reasoning_content":"hm","#
                + #""thinking_blocks":[{"type":"thinking","thinking":"hm","signature":"headgate:messages::s"}],"#
                + #""tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}},"#
                + #"{"id":"2","type":"custom","custom":{"name":"patch","input":"new"}}]},"logprobs":null,"#
                + #""finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7,"#
                + #""prompt_tokens_details":{"cached_tokens":1,"cache_write_tokens":2},"#
                + #""completion_tokens_details":{"reasoning_tokens":1}}}"#)
    }

    @Test(
        "has no content if there are only calls or a refusal",
        arguments: [
            ([], #""content":"","refusal":null"#), ([.refusal("no")], #""content":null,"refusal":"no""#),
            ([.toolCall(ToolCall(id: "1", name: "f", arguments: ""))], #""content":null,"refusal":null"#),
        ] as [([Content], String)])
    func emptiness(contents: [Content], expected: String) {
        var response = ModelResponse()
        response.contents = contents
        #expect(JSONValue.object(ChatResponseWriter.write(response, Chat.context)).text.contains(expected))
    }

    @Test(
        "has the finish reasons of chat completions",
        arguments: [
            (.stop, "stop"), (.stopSequence("x"), "stop"), (.length, "length"), (.toolCalls, "tool_calls"),
            (.refused, "content_filter"), (.paused, "length"),
        ] as [(ResponseEnd, String)])
    func ends(end: ResponseEnd, reason: String) { #expect(ChatFinish.reason(end, Chat.context) == reason) }

    @Test("has only its first call, in the legacy form, for a legacy client")
    func functionCall() {
        var context = Chat.context
        context.knowsFunctionCalls = true
        var response = ModelResponse()
        response.contents = ["f", "g"].map { .toolCall(ToolCall(id: $0, name: $0, arguments: "")) }
        response.end = .toolCalls
        let text = JSONValue.object(ChatResponseWriter.write(response, context)).text
        #expect(text.contains(#""refusal":null,"function_call":{"name":"f","arguments":"{}"}},"#))
        #expect(text.contains(#""finish_reason":"function_call""#))
    }

    @Test("is read with all its content")
    func reading() throws {
        let response = try ChatResponseReader.read(
            Chat.object(
                #"""
                {"id":"c-1","model":"gpt","choices":[{"index":0,
                "finish_reason":"stop","message":{"role":"assistant","content":"a","reasoning":"hm","refusal":"no",
                "tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":{"x":1}}},
                {"id":"2","type":"custom","custom":{"name":"g","input":"free"}},{"function":{"name":"h"}}]}}],
                "usage":{"prompt_tokens":3,"prompt_cache_hit_tokens":2,"completion_tokens":4}}
                """#))
        #expect(response.id == "c-1")
        #expect(response.model == "gpt")
        #expect(response.end == .toolCalls)
        #expect(response.usage == TokenUsage(input: 3, cachedInput: 2, output: 4))
        #expect(
            response.contents == [
                .reasoning(Reasoning("hm", seal: ReasoningSeal(.chat, .plain, ""))), .text("a"), .refusal("no"),
                .toolCall(ToolCall(id: "1", name: "f", arguments: #"{"x":1}"#)),
                .toolCall(ToolCall(id: "2", name: "g", arguments: "free", isCustom: true)),
                .toolCall(ToolCall(id: "call_c1_5", name: "h", arguments: "{}")),
            ])
    }

    @Test(
        "is distinguished from other documents",
        arguments: [
            (#"{"error":{"message":"no"}}"#, .error), (#"{"error":"no","choices":[]}"#, .error),
            (#"{"choices":[]}"#, .unexpected), (#"{"detail":"no"}"#, .error),
        ] as [(String, ResponseFault)])
    func faults(document: String, fault: ResponseFault) {
        #expect(throws: fault) { try ChatResponseReader.read(Chat.object(document)) }
    }

    @Test(
        "joins choices in the order of their numbers, and those of one number in their own",
        arguments: [([0, 0, 0], "abc"), ([2, 0, 1], "bca"), ([1, 0, 1], "bac")])
    func choices(numbers: [Int], text: String) throws {
        let choices = zip(numbers, ["a", "b", "c"]).map {
            #"{"index":\#($0),"message":{"content":"\#($1)"},"finish_reason":"stop"}"#
        }
        let response = try ChatResponseReader.read(Chat.object(#"{"choices":[\#(choices.joined(separator: ","))]}"#))
        #expect(response.contents == text.map { .text(String($0)) })
    }

    @Test(
        "pieces of reasoning belong together if their type and number do, and their ids do not differ",
        arguments: [
            (#""type":"t","index":0"#, #""type":"t","index":0"#, 1),
            (#""type":"t","index":0"#, #""type":"u","index":0"#, 2),
            (#""type":"t","index":0"#, #""type":"t","index":1"#, 2), (#""type":"t""#, #""type":"t""#, 2),
            (#""type":"t","index":0,"id":"a""#, #""type":"t","index":0"#, 1),
            (#""type":"t","index":0,"id":"a""#, #""type":"t","index":0,"id":"a""#, 1),
            (#""type":"t","index":0,"id":"a""#, #""type":"t","index":0,"id":"b""#, 2),
        ])
    func reasoningDetails(first: String, second: String, count: Int) throws {
        var trace = ChatReasoningTrace()
        for (detail, text) in [(first, "a"), (second, "ab")] {
            let shown = trace.read(try Chat.object(#"{"reasoning_details":[{\#(detail),"text":"\#(text)"}]}"#))
            #expect(shown == text)
        }
        let taken = trace.take()
        let seal = try #require(taken)
        let details = try #require(try JSONValue(Array(seal.text.utf8)).array)
        #expect(details.map { $0["text"]?.string ?? "" } == (count == 1 ? ["aab"] : ["a", "ab"]))
        let rest = trace.take()
        #expect(rest == nil)
    }

    @Test("a provider that repeats earlier reasoning adds only the rest", arguments: [("abc", "c"), ("xyz", "xyz")])
    func repeatedReasoning(text: String, added: String) throws {
        var trace = ChatReasoningTrace()
        let start = #"{"reasoning_details":[{"type":"t","index":0,"format":"MiniMax-response-v1","text":""#
        _ = trace.read(try Chat.object(start + #"ab"}]}"#))
        let shown = trace.read(try Chat.object(start + text + #""}]}"#))
        #expect(shown == added)
    }
}
