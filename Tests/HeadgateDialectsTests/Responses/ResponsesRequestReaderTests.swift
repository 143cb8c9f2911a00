import Testing

@testable import HeadgateDialects

/// Reads a request with these members in addition to its model.
func readResponses(_ members: String) throws -> (request: ModelRequest, dropped: [String]) {
    var losses = Losses(client: .responses)
    let body = try JSONValue(Array(#"{"model":"m",\#(members)}"#.utf8))
    let request = try ResponsesRequestReader.read(try #require(body.object), &losses)
    return (request, losses.dropped)
}

/// Returns the place of the fault in the members of an unreadable request.
func faultOfResponses(_ members: String) throws -> String? {
    do {
        _ = try readResponses(members)
        return nil
    } catch let error as TranslationError {
        return error.member
    }
}

@Suite("The reader of Responses requests")
struct ResponsesRequestReaderTests {
    @Test("reads settings, structure and reasoning parameters")
    func settings() throws {
        let (request, dropped) = try readResponses(
            #"""
            "input":"hi","instructions":"Be brief.","stream":true,"max_output_tokens":99,"temperature":0.5,"top_p":1,
            "metadata":{"a":"b"},"user":"u","safety_identifier":"s","service_tier":"flex","prompt_cache_key":"k",
            "text":{"verbosity":"low","format":{"type":"json_schema","name":"n","schema":{"type":"object"},
             "strict":true}},
            "reasoning":{"effort":"xhigh","summary":"auto"},"store":false,"include":["reasoning.encrypted_content"],
            "truncation":"disabled","background":false,"stream_options":{"include_obfuscation":false},"top_logprobs":0,
            "max_tool_calls":null,"context_management":[]
            """#)
        #expect(dropped == [])
        #expect(request.model == "m")
        #expect(request.isStream)
        #expect(request.asksUsage)
        #expect(request.maximumTokens == 99)
        #expect(request.messages == [Message(.system, ["Be brief."]), Message(.user, ["hi"])])
        #expect(
            request.settings == [
                .temperature: .number("0.5"), .topP: 1, .metadata: ["a": "b"], .user: "u", .safetyIdentifier: "s",
                .serviceTier: "flex", .promptCacheKey: "k", .verbosity: "low",
            ])
        #expect(request.format == .schema(["type": "object"], name: "n", description: nil, isStrict: true))
        #expect(request.reasoning == ReasoningWish(effort: .xhigh, isShown: true))
    }

    @Test(
        "names dropped members",
        arguments: [
            (#""truncation":"auto""#, "truncation"), (#""max_tool_calls":3"#, "max_tool_calls"),
            (#""context_management":[{"type":"compaction"}]"#, "context_management"),
            (#""include":["message.output_text.logprobs"]"#, "include"), (#""top_logprobs":5"#, "top_logprobs"),
            (#""stream_options":{"include_obfuscation":true}"#, "stream_options.include_obfuscation"),
            (#""reasoning":{"effort":"immense"}"#, "reasoning.effort"),
            (#""reasoning":{"mode":"pro"}"#, "reasoning.mode"), (#""text":{"tone":"dry"}"#, "text.tone"),
            (#""moderation":{"model":"x"}"#, "moderation"), (#""novelty":1"#, "novelty"),
            (#""tools":[{"type":"web_search"}]"#, "tools[].web_search"),
            (#""tools":[{"type":"odd\r\nx"}]"#, "tools[].type"),
            (#""tools":[{"type":"function","name":"f","defer_loading":true}]"#, "tools[].defer_loading"),
        ])
    func drops(member: String, name: String) throws {
        #expect(try readResponses(#""input":"hi",\#(member)"#).dropped == [name])
    }

    @Test(
        "refuses members that would make the response wrong",
        arguments: [
            (#""input":"x","previous_response_id":"resp_1""#, "previous_response_id"),
            (#""input":"x","conversation":"conv_1""#, "conversation"), (#""prompt":{"id":"p"}"#, "prompt"),
            (#""input":"x","background":true"#, "background"), (#""input":"x","store":true"#, "store"),
            (#""instructions":"x""#, "input"), (#""input":7"#, "input"),
            (#""input":"x","text":{"format":{"type":"xml"}}"#, "text.format.type"),
            (#""input":[{"type":"item_reference","id":"msg_1"}]"#, "input[0]"),
            (#""input":[{"id":"msg_1"}]"#, "input[0]"),
            (#""input":[{"type":"riddle"}]"#, "input[0].type"), (#""input":[{}]"#, "input[0].type"),
            (#""input":[{"role":"boss","content":"x"}]"#, "input[0].role"),
            (#""input":[{"role":"user","content":[{"type":"input_audio"}]}]"#, "input[0].content[0].type"),
            (#""input":[{"role":"assistant","content":[{"type":"input_image"}]}]"#, "input[0].content[0].type"),
            (#""input":[{"role":"user","content":[{"type":"input_image"}]}]"#, "input[0].content[0].image_url"),
            (
                #""input":[{"type":"function_call","call_id":"c","name":"f","arguments":[1]}]"#,
                "input[0].arguments"
            ),
            (#""input":[{"type":"function_call","name":"f","arguments":"{}"}]"#, "input[0].call_id"),
            (#""input":[{"type":"function_call_output","call_id":"c"}]"#, "input[0].output"),
            (#""input":"x","temperature":1,"stream":"yes""#, "stream"),
            (#""input":"x","tools":[{"type":"function"}]"#, "tools[0].name"),
            (#""input":"x","tool_choice":"required","tools":[{"type":"mcp","server_label":"s"}]"#, "tool_choice"),
            (#""input":"x","tool_choice":{"type":"web_search_preview"}"#, "tool_choice.type"),
        ])
    func refusals(members: String, member: String) throws { #expect(try faultOfResponses(members) == member) }
}
