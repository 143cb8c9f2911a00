import Testing

@testable import HeadgateDialects

@Suite("Writing a request for chat completions")
struct ChatRequestWriterTests {
    @Test("uses the upstream's role for developer messages")
    func roles() throws {
        let messages = [Message(.developer, "a"), Message(.system, "b")]
        #expect(
            try Chat.write(messages: messages, isOpenAI: true) == [
                #"{"role":"developer","content":"a"}"#, #"{"role":"system","content":"b"}"#,
            ])
    }

    @Test("joins all instructions in one leading system message, never an empty one")
    func joined() throws {
        let marked = Part(.text("m"), cacheMarker: CacheMarker())
        let user = Message(.user, "u")
        let rows: [([Message], [String])] = [
            ([Message(.system, "a"), Message(.developer, "b"), user], ["a\\n\\nb", "u"]),
            (
                [Message(.developer, "a"), user, Message(.assistant, "x"), Message(.developer, "b")],
                ["a\\n\\nb", "u", "x"]
            ),
            ([user, Message(.system, ["a", marked]), user], ["a\\n\\nm", "u", "u"]),
            ([Message(.system, ""), Message(.developer, " \n"), user], ["u"]), ([Message(.system, []), user], ["u"]),
            ([Message(.system, "a"), Message(.system, ""), user], ["a", "u"]),
        ]
        for (messages, contents) in rows {
            let written = try Chat.write(messages: messages)
            #expect(written.count == contents.count)
            for (message, content) in zip(written, contents) {
                #expect(message.hasSuffix(#","content":"\#(content)"}"#), "\(message)")
            }
            #expect(written.dropFirst().allSatisfy { !$0.contains(#""role":"system""#) })
        }
    }

    @Test("keeps instructions in place if the upstream accepts that, and joins them for OpenAI if configured")
    func separate() throws {
        let messages = [Message(.developer, "a"), Message(.user, "u"), Message(.system, "b"), Message(.system, "")]
        func write(isOpenAI: Bool, joins: Bool) throws -> [JSONValue] {
            var (target, losses) = (TargetTraits(), Losses(client: .responses))
            target.isOpenAIsOwn = isOpenAI
            target.joinsSystemMessages = joins
            let body = try ChatRequestWriter.write(ModelRequest(messages), for: target, &losses).body
            return try #require(body["messages"]?.array)
        }
        #expect(try write(isOpenAI: false, joins: false).map { $0["role"] } == ["system", "user", "system"])
        #expect(
            try write(isOpenAI: true, joins: true) == [
                [
                    "role": "system",
                    "content": [["type": "text", "text": "a"], ["type": "text", "text": "b"]],
                ], ["role": "user", "content": "u"],
            ])
    }

    @Test(
        "joins several system messages of a forwarded request, and changes no other",
        arguments: [
            (
                #"{"role":"system","content":"a"},{"role":"user","content":"u"},{"role":"developer","content":"b"}"#,
                #"{"role":"system","content":"a\n\nb"},{"role":"user","content":"u"}"#
            ),
            (
                #"{"role":"developer","content":"a","name":"n"},{"role":"developer","content":[{"type":"text","text":"b"}]}"#,
                #"{"role":"developer","content":"a\n\nb","name":"n"}"#
            ),
            (
                #"{"role":"system","content":[{"type":"text","text":"a","cache_control":{}}]},{"role":"system","content":"b"}"#,
                #"{"role":"system","content":[{"type":"text","text":"a","cache_control":{}},{"type":"text","text":"b"}]}"#
            ),
            (
                #"{"role":"system","content":""},{"role":"system"},{"role":"user","content":"u"}"#,
                #"{"role":"user","content":"u"}"#
            ),
            (#"{"role":"user","content":"u"},{"role":"system","content":"a"}"#, nil), (#"{"role":"user"},1,null"#, nil),
        ])
    func native(messages: String, expected: String?) {
        let body = #"{"model":"m","messages":[\#(messages)],"temperature":1.0}"#
        let joined = SystemMessageJoining.joined(Array(body.utf8)).map { String(decoding: $0, as: UTF8.self) }
        #expect(joined == expected.map { #"{"model":"m","messages":[\#($0)],"temperature":1.0}"# })
    }

    @Test("writes one text as a string, and several parts as parts")
    func parts() throws {
        let parts = [
            Part(.text("a")), Part(.image(.data(mediaType: "image/png", base64: "QQ=="), detail: "low")),
            Part(.image(.url("https://a/b"), detail: nil)), Part(.document(.text("t"), name: "x")),
            Part(.document(.data(mediaType: "application/pdf", base64: "QQ=="), name: nil)),
        ]
        #expect(try Chat.write(messages: [Message(.user, [Part(.text("a"))])]) == [#"{"role":"user","content":"a"}"#])
        #expect(
            try Chat.write(messages: [Message(.user, parts)]) == [
                #"{"role":"user","content":[{"type":"text","text":"a"},"#
                    + #"{"type":"image_url","image_url":{"url":"data:image/png;base64,QQ==","detail":"low"}},"#
                    + #"{"type":"image_url","image_url":{"url":"https://a/b"}},{"type":"text","text":"t"},"#
                    + #"{"type":"file","file":{"filename":"document.pdf","#
                    + #""file_data":"data:application/pdf;base64,QQ=="}}]}"#
            ])
    }

    @Test("writes results directly after their calls, and other content after all of them")
    func results() throws {
        let image = Part(.image(.url("https://a/b"), detail: nil))
        let messages = [
            Message(.assistant, [Chat.call("a", "f", #"{"x":1}"#), Chat.call("b", "f", "")]),
            Message(.tool, [Part(.toolResult(ToolResult(callID: "a", parts: [Part(.text("1")), image])))]),
            Message(.tool, [Chat.result("b", "no", isError: true)]), Message(.user, [Part(.text("go on"))]),
        ]
        #expect(
            try Chat.write(messages: messages) == [
                #"{"role":"assistant","content":null,"tool_calls":["#
                    + #"{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},"#
                    + #"{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]}"#,
                #"{"role":"tool","tool_call_id":"a","content":"1"}"#,
                #"{"role":"tool","tool_call_id":"b","content":"Error: no"}"#,
                #"{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://a/b"}}]}"#,
                #"{"role":"user","content":"go on"}"#,
            ])
    }

    @Test("answers open calls of the history, and keeps results without a call as text")
    func unanswered() throws {
        let messages = [
            Message(.tool, [Chat.result("x", "1")]), Message(.assistant, [Chat.call("a")]),
            Message(.assistant, [Part(.text("hm"))]), Message(.user, [Part(.text("go on"))]),
        ]
        #expect(
            try Chat.write(messages: messages) == [
                #"{"role":"user","content":[{"type":"text","text":"Result of the tool call x:"},"#
                    + #"{"type":"text","text":"1"}]}"#,
                #"{"role":"assistant","content":"hm","tool_calls":"#
                    + #"[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#,
                #"{"role":"tool","tool_call_id":"a","content":"No result was given."}"#,
                #"{"role":"user","content":"go on"}"#,
            ])
    }

    @Test("drops and names reasoning, and omits a turn that becomes empty")
    func reasoning() throws {
        var request = ModelRequest()
        request.messages = [
            Message(.assistant, [Part(.reasoning(Reasoning("hm")))]),
            Message(.assistant, [Part(.reasoning(Reasoning("hm"))), Part(.text("a")), Part(.refusal("b"))]),
        ]
        let (body, _, dropped) = try Chat.write(request)
        #expect(body["messages"]?.text == #"[{"role":"assistant","content":"a","refusal":"b"}]"#)
        #expect(dropped == ["messages[].content[].thinking"])
    }

    @Test("shortens ids that OpenAI refuses, also in their results")
    func ids() throws {
        let id = String(repeating: "x", count: 41)
        let messages = [Message(.assistant, [Chat.call(id)]), Message(.tool, [Chat.result(id, "1")])]
        let written = try Chat.write(messages: messages)
        #expect(written[0].contains(#""id":"call_headgate_0""#))
        #expect(written[1] == #"{"role":"tool","tool_call_id":"call_headgate_0","content":"1"}"#)
    }

    @Test("writes limits and settings, and names the unsupported ones")
    func settings() throws {
        var request = ModelRequest()
        request.model = "public"
        request.isStream = true
        request.maximumTokens = 9
        request.stopSequences = ["1", "2", "3", "4", "5"]
        request.settings = [.temperature: 1, .topK: 5, .topLogprobs: 2, .serviceTier: "standard_only", .store: false]
        let (body, _, dropped) = try Chat.write(request)
        #expect(
            JSONValue.object(body).text
                == #"{"model":"u","messages":[],"max_tokens":9,"stop":["1","2","3","4"],"temperature":1,"#
                + #""service_tier":"default","stream":true,"stream_options":{"include_usage":true}}"#)
        #expect(dropped == ["stop_sequences", "top_k", "topLogprobs"])
        #expect(try Chat.write({ $0.maximumTokens = 9 }, isOpenAI: true)["max_completion_tokens"] == 9)
    }

    @Test(
        "turns a reasoning budget into an effort that the upstream supports",
        arguments: [
            (ReasoningWish(budget: 1000), false, "minimal"), (ReasoningWish(budget: 1024), false, "low"),
            (ReasoningWish(budget: 2048), false, "medium"), (ReasoningWish(budget: 9000), true, "high"),
            (ReasoningWish(effort: .max), false, "high"), (ReasoningWish(effort: .max), true, "max"),
            (ReasoningWish(effort: .xhigh), false, "high"),
            (ReasoningWish(effort: ReasoningWish.Effort.none), true, "none"),
        ])
    func efforts(wish: ReasoningWish, isOpenAI: Bool, effort: String) throws {
        #expect(try Chat.write({ $0.reasoning = wish }, isOpenAI: isOpenAI)["reasoning_effort"]?.string == effort)
    }

    @Test("writes tools under unique names that the upstream accepts")
    func names() throws {
        let long = String(repeating: "n", count: 70)
        var request = ModelRequest()
        request.tools = ["a b", "a_b", long, long + "x"].map(Chat.function)
        request.messages = [Message(.assistant, [Chat.call("1", "a b")])]
        request.toolChoice = .named("a b")
        let (body, names, _) = try Chat.write(request)
        let short = String(repeating: "n", count: 64)
        #expect(
            body["tools"]?.array?.map { $0["function"]?["name"]?.string }
                == ["a_b", "a_b_2", short, short.dropLast(2) + "_2"])
        #expect(names == ["a_b": "a b", "a_b_2": "a_b", short: long, short.dropLast(2) + "_2": long + "x"])
        #expect(body["tool_choice"]?.text == #"{"type":"function","function":{"name":"a_b"}}"#)
        #expect(body["messages"]?.text.contains(#""function":{"name":"a_b""#) == true)
    }

    @Test("sends free-text tools to OpenAI only, and functions with one text to others")
    func customTools() throws {
        let tool = Tool.custom(
            name: "c", description: "d", format: ["type": "grammar", "syntax": "lark", "definition": "x"])
        let change: (inout ModelRequest) -> Void = { request in
            request.tools = [tool]
            request.toolChoice = .named("c")
            request.messages = [
                Message(.assistant, [Part(.toolCall(ToolCall(id: "1", name: "c", arguments: "a\"b", isCustom: true)))])
            ]
        }
        let wrapped = try Chat.write(change)
        #expect(
            wrapped["tools"]?.text
                == #"[{"type":"function","function":{"name":"c","description":"#
                + #""d\n\nThe input follows this grammar (lark):\nx","parameters":{"type":"object","#
                + #""properties":{"input":{"type":"string"}},"required":["input"],"additionalProperties":false}}}]"#)
        #expect(wrapped["messages"]?.text.contains(#""arguments":"{\"input\":\"a\\\"b\"}""#) == true)
        let native = try Chat.write(change, isOpenAI: true)
        #expect(
            native["tools"]?.text
                == #"[{"type":"custom","custom":{"name":"c","description":"d","format":{"type":"grammar","#
                + #""grammar":{"syntax":"lark","definition":"x"}}}}]"#)
        #expect(native["tool_choice"]?.text == #"{"type":"custom","custom":{"name":"c"}}"#)
        #expect(native["messages"]?.text.contains(#""custom":{"name":"c","input":"a\"b"}"#) == true)
    }

    @Test("omits disallowed tools if the upstream cannot restrict them")
    func allowedTools() throws {
        let change: (inout ModelRequest) -> Void = { request in
            request.tools = [Chat.function("a"), Chat.function("b")]
            request.toolChoice = .allowed(["b"], isRequired: true)
            request.allowsParallelCalls = false
        }
        let body = try Chat.write(change)
        #expect(body["tools"]?.text == #"[{"type":"function","function":{"name":"b"}}]"#)
        #expect(body["tool_choice"] == "required")
        #expect(body["parallel_tool_calls"] == false)
        #expect(
            try Chat.write(change, isOpenAI: true)["tool_choice"]?.text
                == #"{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":"#
                + #"[{"type":"function","function":{"name":"b"}}]}}"#)
    }

    @Test("gives the schema of a response its required name")
    func schema() throws {
        let body = try Chat.write { request in
            request.format = .schema(["type": "object"], name: nil, description: nil, isStrict: true)
        }
        #expect(
            body["response_format"]?.text
                == #"{"type":"json_schema","json_schema":{"name":"response","schema":{"type":"object"},"strict":true}}"#
        )
    }

    @Test("sends cache keys to OpenAI only")
    func cacheMarkers() throws {
        var request = ModelRequest()
        request.messages = [Message(.user, [Part(.text("a"), cacheMarker: CacheMarker(timeToLive: "5m"))])]
        #expect(try Chat.write(request).dropped == ["cache_control"])
        #expect(
            try Chat.write(request, isOpenAI: true).body["messages"]?.array?.first?["content"]?.text
                == #"[{"type":"text","text":"a","prompt_cache_breakpoint":{"mode":"explicit"}}]"#)
    }

    @Test(
        "refuses content that chat completions cannot express",
        arguments: [
            Content.image(.file(id: "f"), detail: nil), .document(.file(id: "f"), name: nil),
            .document(.url("https://a/b.pdf"), name: nil),
        ])
    func refusals(content: Content) {
        var request = ModelRequest()
        request.messages = [Message(.user, [Part(content)])]
        #expect(throws: TranslationError.self) { try Chat.write(request) }
    }
}
