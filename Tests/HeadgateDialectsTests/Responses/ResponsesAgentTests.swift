import Testing

@testable import HeadgateDialects

@Suite("A conversation of a Responses agent")
struct ResponsesAgentTests {
    /// Request that Codex sends in its second round.
    private static let request = #"""
        {"model":"smart","instructions":"You are an agent.","stream":true,"store":false,"parallel_tool_calls":false,
         "tool_choice":"auto","include":["reasoning.encrypted_content"],"prompt_cache_key":"k",
         "reasoning":{"effort":"medium","summary":"auto"},"text":{"verbosity":"low"},
         "tools":[{"type":"function","name":"exec","description":"d","strict":false,"parameters":{"type":"object"}},
          {"type":"custom","name":"apply_patch","description":"p",
           "format":{"type":"grammar","syntax":"lark","definition":"start: x"}},
          {"type":"web_search","external_web_access":false},
          {"type":"namespace","name":"mcp__notes__","tools":[{"type":"function","name":"find","strict":false}]}],
         "input":[{"type":"message","role":"developer","content":[{"type":"input_text","text":"rules"}]},
          {"type":"message","role":"user","content":[{"type":"input_text","text":"fix it"}]},
          {"type":"reasoning","summary":[{"type":"summary_text","text":"t"}],
           "encrypted_content":"headgate:messages::S"},
          {"type":"function_call","name":"exec","arguments":"{\"cmd\":\"ls\"}","call_id":"c1"},
          {"type":"function_call_output","call_id":"c1","output":"a.txt"},
          {"type":"custom_tool_call","name":"apply_patch","input":"*** Begin","call_id":"c2"},
          {"type":"custom_tool_call_output","call_id":"c2","output":"Done"},
          {"type":"message","role":"user","content":[{"type":"input_text","text":"go on"}]}]}
        """#

    @Test(
        "reaches providers of every other format, and returns with its own tools",
        arguments: [WireFormat.chat, .messages])
    func rounds(upstream: WireFormat) throws {
        let translated = try RequestTranslation.translate(
            Array(Self.request.utf8), from: .responses, to: upstream, for: TargetTraits(model: "claude-sonnet-4-5"))
        #expect(translated.dropped.contains("tools[].web_search"))
        let body = try JSONValue(translated.body)
        #expect(body["tools"]?.array?.count == 3)
        #expect(body["stream"] == true)
        for text in ["fix it", "a.txt", "*** Begin", "Done", "go on", "rules"] {
            #expect(body.text.contains(text))
        }

        var context = translated.context
        (context.id, context.created) = ("x1", 1)
        let tools: [ResponseEvent] = [
            .toolCall(index: 0, id: "c3", name: "apply_patch", isCustom: false),
            .toolArguments(index: 0, #"{"input":"*** End"}"#),
            .toolCall(index: 1, id: "c4", name: "find", isCustom: false), .toolArguments(index: 1, "{}"),
        ]
        let stream = try WrittenResponsesStream(tools + [.finished(.toolCalls), .ended], context)
        stream.checkWhole()
        #expect(stream.output[0]["type"] == "custom_tool_call")
        #expect(stream.output[0]["input"] == "*** End")
        #expect(stream.output[1]["namespace"] == "mcp__notes__")
        #expect(stream.response["tools"]?.array?.count == 4)
        #expect(stream.response["model"] == "smart")
    }
}
