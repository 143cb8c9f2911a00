import Testing

@testable import HeadgateDialects

@Suite("Reading a request for chat completions")
struct ChatRequestReaderTests {
    @Test("reads the settings, and names those without a neutral form")
    func settings() throws {
        let (request, dropped) = try Chat.read(
            #"""
            "stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false,"other":1},
            "max_tokens":5,"max_completion_tokens":7,"stop":["a","b"],"temperature":0.5,"seed":3,"user":"u",
            "metadata":{"k":"v"},"store":false,"parallel_tool_calls":false,"reasoning_effort":"low","n":1,
            "logprobs":true,"top_logprobs":2,"presence_penalty":0,"frequency_penalty":1,"logit_bias":{},
            "prediction":{"type":"content","content":"x"},"web_search_options":{},"moderation":null,"top_k":4,
            "tools":[{"type":"function","function":{"name":"f"}}]
            """#)
        #expect(request.isStream && request.asksUsage)
        #expect(request.maximumTokens == 7)
        #expect(request.stopSequences == ["a", "b"])
        #expect(request.allowsParallelCalls == false)
        #expect(request.reasoning == ReasoningWish(effort: .low))
        #expect(
            request.settings == [
                .temperature: .number("0.5"), .seed: 3, .user: "u", .metadata: ["k": "v"], .store: false,
                .frequencyPenalty: 1,
            ])
        #expect(
            dropped == [
                "stream_options.other", "logprobs", "top_logprobs", "prediction", "web_search_options", "top_k",
                "max_tokens",
            ])
    }

    @Test(
        "reads -1 tokens as no limit",
        arguments: [
            (#""max_tokens":-1"#, nil), (#""max_completion_tokens":-1"#, nil),
            (#""max_completion_tokens":-1,"max_tokens":5"#, 5), (#""max_tokens":-2"#, -2),
        ])
    func minusOneIsNoLimit(members: String, expected: Int?) throws {
        #expect(try Chat.read(members).request.maximumTokens == expected)
    }

    @Test("hides the usage of a stream whose client does not request it")
    func usage() throws { #expect(try !Chat.read(#""stream":true"#).request.asksUsage) }

    @Test(
        "refuses members that would make the response wrong, by path",
        arguments: [
            (#""n":2"#, "n"), (#""modalities":["text","audio"]"#, "modalities"), (#""audio":{"voice":"a"}"#, "audio"),
            (#""response_format":{"type":"xml"}"#, "response_format.type"), (#""stop":[1]"#, "stop[0]"),
            (#""max_tokens":"many""#, "max_tokens"), (#""tool_choice":"maybe""#, "tool_choice"),
            (#""tool_choice":{"type":"mcp"}"#, "tool_choice.type"), (#""messages":null"#, "messages"),
            (#""tools":[{"type":"function","function":{}}]"#, "tools[0].function.name"),
            (#""messages":[{"role":"robot"}]"#, "messages[0].role"),
            (#""messages":[{"role":"user","content":[{"type":"video"}]}]"#, "messages[0].content[0].type"),
            (
                #""messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{}}]}]"#,
                "messages[0].content[0].type"
            ),
            (
                #""messages":[{"role":"assistant","content":[{"type":"image_url","image_url":{"url":"x"}}]}]"#,
                "messages[0].content[0].type"
            ),
            (
                #""messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:a,b"}}]}]"#,
                "messages[0].content[0].image_url.url"
            ),
            (
                #""messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":[1]}}]}]"#,
                "messages[0].tool_calls[0].function.arguments"
            ),
            (#""messages":[{"role":"assistant","audio":{"id":"a"}}]"#, "messages[0].audio"),
            (#""messages":[{"role":"tool","content":"x"}]"#, "messages[0].tool_call_id"),
        ])
    func refusals(members: String, member: String) { #expect(Chat.refusal(members) == member) }

    @Test("reads texts, images and documents in order")
    func parts() throws {
        let (messages, dropped) = try Chat.read(
            messages: #"""
                {"role":"developer","content":"be kind"},
                {"role":"user","name":"ann","content":[
                  {"type":"text","text":"look","prompt_cache_breakpoint":{"mode":"explicit","ttl":"12h"}},
                  {"type":"image_url","image_url":{"url":"data:image/PNG;base64,QUI=","detail":"low"}},
                  {"type":"image_url","image_url":{"url":"https://a/b.png"}},
                  {"type":"file","file":{"file_data":"data:application/pdf;base64,QUI=","filename":"a.pdf"}},
                  {"type":"file","file":{"file_data":"data:text/plain;charset=utf-8;base64,w6Q="}},
                  {"type":"file","file":{"file_id":"file-1"},"cache_control":{"type":"ephemeral"},"more":1}]}
                """#)
        #expect(
            messages == [
                Message(.developer, [Part(.text("be kind"))]),
                Message(
                    .user,
                    [
                        Part(.text("look"), cacheMarker: CacheMarker(timeToLive: "12h")),
                        Part(.image(.data(mediaType: "image/png", base64: "QUI="), detail: "low")),
                        Part(.image(.url("https://a/b.png"), detail: nil)),
                        Part(.document(.data(mediaType: "application/pdf", base64: "QUI="), name: "a.pdf")),
                        Part(.document(.text("ä"), name: nil)),
                        Part(.document(.file(id: "file-1"), name: nil), cacheMarker: CacheMarker()),
                    ]),
            ])
        #expect(dropped == ["messages[].name", "messages[].content[].more"])
    }

    @Test("reads calls and their results, those of one round as one message")
    func calls() throws {
        let (messages, dropped) = try Chat.read(
            messages: #"""
                {"role":"assistant","content":null,"refusal":null,"annotations":[],"tool_calls":[
                  {"id":"a","type":"function","index":0,"function":{"name":"f","arguments":"{\"x\":1}"}},
                  {"id":"b","type":"function","function":{"name":"g","arguments":""}},
                  {"id":"c","type":"custom","custom":{"name":"h","input":"free"}}]},
                {"role":"tool","tool_call_id":"a","content":"{\"error\":\"no\"}"},
                {"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"1"},{"type":"text","text":"2"}]},
                {"role":"tool","tool_call_id":"c","content":"3"},
                {"role":"assistant","content":"","refusal":"no"}
                """#)
        #expect(messages.map(\.role) == [.assistant, .tool, .assistant])
        #expect(
            messages[0].parts == [
                Chat.call("a", "f", #"{"x":1}"#), Chat.call("b", "g"),
                Part(.toolCall(ToolCall(id: "c", name: "h", arguments: "free", isCustom: true))),
            ])
        #expect(
            messages[1].parts == [
                Chat.result("a", #"{"error":"no"}"#),
                Part(.toolResult(ToolResult(callID: "b", parts: [Part(.text("1")), Part(.text("2"))]))),
                Part(.toolResult(ToolResult(callID: "c", parts: [Part(.text("3"))], isCustom: true))),
            ])
        #expect(messages[2].parts == [Part(.refusal("no"))])
        #expect(dropped.isEmpty)
    }

    @Test("gives legacy calls ids that match their results")
    func legacy() throws {
        let (request, _) = try Chat.read(
            #"""
            "functions":[{"name":"f"}],"function_call":{"name":"f"},"messages":[
              {"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},
              {"role":"function","name":"f","content":"1"},
              {"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},
              {"role":"function","name":"f","content":"2"}]
            """#)
        #expect(request.tools == [Chat.function("f")])
        #expect(request.toolChoice == .named("f"))
        #expect(
            request.messages.flatMap(\.parts) == [
                Chat.call("call_function_0"), Chat.result("call_function_0", "1"),
                Chat.call("call_function_2"), Chat.result("call_function_2", "2"),
            ])
    }

    @Test("recognizes a client of legacy calls")
    func legacyContext() throws {
        for (member, isOlder) in [(#""functions":[{"name":"f"}]"#, true), (#""functions":null"#, false)] {
            let body = Array(#"{"model":"m","messages":[],\#(member)}"#.utf8)
            let translated = try RequestTranslation.translate(body, from: .chat, to: .messages, for: TargetTraits())
            #expect(translated.context.knowsFunctionCalls == isOlder)
        }
    }

    @Test("accepts returned reasoning with its seal")
    func reasoning() throws {
        let (messages, _) = try Chat.read(
            messages: #"""
                {"role":"assistant","content":"a","reasoning_content":"hm","thinking_blocks":[
                  {"type":"thinking","thinking":"hm","signature":"headgate:messages::s"},
                  {"type":"redacted_thinking","data":"headgate:messages:redacted:r"}]},
                {"role":"assistant","content":"b","reasoning":"so"}
                """#)
        #expect(
            messages.map(\.parts) == [
                [
                    Part(.reasoning(Reasoning("hm", seal: ReasoningSeal(.messages, "s")))),
                    Part(.reasoning(Reasoning("", seal: ReasoningSeal(.messages, "r", isRedacted: true)))),
                    Part(.text("a")),
                ],
                [Part(.reasoning(Reasoning("so"))), Part(.text("b"))],
            ])
    }

    @Test("reads tools of every kind")
    func tools() throws {
        let (request, dropped) = try Chat.read(
            #"""
            "tools":[
              {"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"},
                "strict":true}},
              {"type":"custom","custom":{"name":"c","format":{"type":"grammar",
                "grammar":{"syntax":"regex","definition":"a+"}}}},
              {"type":"web_search"}]
            """#)
        #expect(
            request.tools == [
                .function(
                    Tool.Function(name: "f", description: "d", parameters: ["type": "object"], isStrict: true)),
                .custom(
                    name: "c", description: nil,
                    format: ["type": "grammar", "syntax": "regex", "definition": "a+"]),
            ])
        #expect(dropped == ["tools[].web_search"])
    }

    @Test(
        "reads every form of a choice among tools",
        arguments: [
            (#""auto""#, .auto), (#""none""#, .none), (#""required""#, .required), (#"{"type":"any"}"#, .required),
            (#"{"type":"function","function":{"name":"f"}}"#, .named("f")),
            (#"{"type":"tool","name":"f"}"#, .named("f")),
            (#"{"type":"custom","custom":{"name":"c"}}"#, .named("c")),
            (
                #"{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":"#
                    + #"[{"type":"function","function":{"name":"f"}}]}}"#,
                .allowed(["f"], isRequired: true)
            ),
        ] as [(String, ToolChoice)])
    func choices(choice: String, expected: ToolChoice) throws {
        let tools = #"[{"type":"function","function":{"name":"f"}},{"type":"custom","custom":{"name":"c"}}]"#
        #expect(try Chat.read(#""tools":\#(tools),"tool_choice":\#(choice)"#).request.toolChoice == expected)
    }

    @Test("refuses a choice that no tool satisfies")
    func impossibleChoices() throws {
        let tools = #""tools":[{"type":"function","function":{"name":"g"}}],"#
        for (members, member) in [
            (#""tool_choice":"required""#, "tool_choice"), (#""function_call":{"name":"f"}"#, "function_call"),
            (tools + #""tool_choice":{"type":"function","function":{"name":"f"}}"#, "tool_choice"),
        ] {
            let error = #expect(throws: TranslationError.self) { try Chat.read(members) }
            #expect(error?.member == member, "\(members)")
        }
        #expect(try Chat.read(#""tool_choice":"auto""#).request.toolChoice == nil)
    }

    @Test(
        "reads every form of a response's format",
        arguments: [
            (#"{"type":"text"}"#, .text), (#"{"type":"json_object"}"#, .json),
            (
                #"{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"},"strict":true}}"#,
                .schema(["type": "object"], name: "n", description: nil, isStrict: true)
            ),
        ] as [(String, ResponseFormat)])
    func formats(format: String, expected: ResponseFormat) throws {
        #expect(try Chat.read(#""response_format":\#(format)"#).request.format == expected)
    }
}
