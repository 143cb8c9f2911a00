import Testing

@testable import HeadgateDialects

/// A request read from JSON members, with a model and a greeting.
struct ReadMessages {
    var request: ModelRequest
    var dropped: [String]

    init(_ members: String, messages: String = #"[{"role":"user","content":"Hi"}]"#) throws {
        let text = #"{"model":"m","messages":\#(messages)\#(members.isEmpty ? "" : ",")\#(members)}"#
        var losses = Losses(client: .messages)
        request = try MessagesRequestReader.read(
            try #require(try JSONValue(Array(text.utf8)).object), &losses)
        dropped = losses.dropped
    }
}

@Suite("A request of Messages")
struct MessagesRequestReaderTests {
    @Test("has a model, a limit, settings and stop sequences")
    func settings() throws {
        let read = try ReadMessages(
            #""max_tokens":9,"stream":true,"stop_sequences":["a","b"],"temperature":0.5,"top_p":0.9,"top_k":4,"#
                + #""service_tier":"standard_only","speed":"fast","metadata":{"user_id":"u"}"#)
        let request = read.request
        #expect(request.model == "m")
        #expect(request.isStream)
        #expect(request.maximumTokens == 9)
        #expect(request.stopSequences == ["a", "b"])
        #expect(
            request.settings == [
                .temperature: .number("0.5"), .topP: .number("0.9"), .topK: 4, .serviceTier: "default",
                .speed: "fast", .user: "u",
            ])
        #expect(read.dropped == [])
        let usual = try ReadMessages(
            #""speed":"standard","service_tier":"auto","metadata":{"user_id":null},"top_k":null"#)
        #expect(usual.request.settings == [.serviceTier: "auto"])
        #expect(usual.dropped == [])
    }

    @Test("names members without an equivalent, and unknown ones")
    func unknownMembers() throws {
        let read = try ReadMessages(
            #""container":"c","inference_geo":null,"diagnostics":{},"mcp_servers":[],"context_management":{},"#
                + #""invented":1,"metadata":{"team":"x"}"#)
        #expect(
            read.dropped == [
                "container", "diagnostics", "mcp_servers", "context_management", "invented", "metadata.team",
            ])
    }

    @Test(
        "is refused by the member at fault",
        arguments: [
            (#"{"messages":[]}"#, "model"), (#"{"model":"m"}"#, "messages"), (#"{"model":1,"messages":[]}"#, "model"),
            (#"{"model":"m","messages":[],"max_tokens":"1"}"#, "max_tokens"),
            (#"{"model":"m","messages":[],"stop_sequences":["a",1]}"#, "stop_sequences[1]"),
            (#"{"model":"m","messages":[{"content":"x"}]}"#, "messages[0].role"),
            (#"{"model":"m","messages":[{"role":"tool","content":"x"}]}"#, "messages[0].role"),
            (#"{"model":"m","messages":[{"role":"user"}]}"#, "messages[0].content"),
            (#"{"model":"m","messages":[{"role":"user","content":1}]}"#, "messages[0].content"),
            (
                #"{"model":"m","messages":[{"role":"user","content":[{"type":"audio"}]}]}"#,
                "messages[0].content[0].type"
            ),
            (
                #"{"model":"m","messages":[{"role":"user","content":[{"type":"container_upload","file_id":"f"}]}]}"#,
                "messages[0].content[0].type"
            ),
            (
                #"{"model":"m","messages":[{"role":"assistant","content":[{"type":"image"}]}]}"#,
                "messages[0].content[0].type"
            ),
            (
                #"{"model":"m","messages":[{"role":"user","content":[{"type":"image","source":{"type":"x"}}]}]}"#,
                "messages[0].content[0].source.type"
            ),
            (
                #"{"model":"m","messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":[1]}]}]}"#,
                "messages[0].content[0].input"
            ),
            (
                #"{"model":"m","messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"video"}]}]}]}"#,
                "messages[0].content[0].content[0].type"
            ),
            (#"{"model":"m","messages":[],"system":[{"type":"image"}]}"#, "system[0].type"),
            (#"{"model":"m","messages":[],"tools":[{}]}"#, "tools[0].name"),
            (#"{"model":"m","messages":[],"tool_choice":{"type":"x"}}"#, "tool_choice.type"),
            (#"{"model":"m","messages":[],"tool_choice":{"type":"any"}}"#, "tool_choice"),
            (#"{"model":"m","messages":[],"output_config":{"format":{"type":"x"}}}"#, "output_config.format.type"),
        ])
    func refused(text: String, member: String) throws {
        let body = try #require(try JSONValue(Array(text.utf8)).object)
        var losses = Losses(client: .messages)
        let error = #expect(throws: TranslationError.self) { try MessagesRequestReader.read(body, &losses) }
        #expect(error?.member == member)
    }

    @Test("has tools, and drops the provider's own by type")
    func tools() throws {
        let read = try ReadMessages(
            #""tools":[{"name":"f","description":"D","input_schema":{"type":"object"},"strict":false,"#
                + #""cache_control":{"type":"ephemeral","ttl":"1h"},"defer_loading":false,"allowed_callers":["direct"]},"#
                + #"{"type":"custom","name":"g","input_examples":[{}]},{"type":"web_search_20250305","name":"web_search"},"#
                + #"{"type":"bash_20250124","name":"bash"}]"#)
        #expect(
            read.request.tools == [
                .function(
                    .init(
                        name: "f", description: "D", parameters: ["type": "object"], isStrict: false,
                        cacheMarker: CacheMarker(timeToLive: "1h"))), .function(.init(name: "g")),
            ])
        #expect(read.dropped == ["tools[].input_examples", "tools[].web_search_20250305", "tools[].bash_20250124"])
    }

    @Test("holds calls to the schemas of strict tools, as far as other formats can")
    func strictTools() throws {
        let read = try ReadMessages(
            #""tools":[{"name":"f","input_schema":{"type":"object","additionalProperties":false},"strict":true},"#
                + #"{"name":"g","input_schema":{"type":"object"},"strict":true}]"#)
        let closed: JSONValue = ["type": "object", "additionalProperties": false]
        #expect(
            read.request.tools == [
                .function(.init(name: "f", parameters: closed, isStrict: true)),
                .function(.init(name: "g", parameters: ["type": "object"], isStrict: false)),
            ])
        #expect(read.dropped == ["tools[].strict"])
    }

    @Test(
        "chooses tools",
        arguments: [
            (#"{"type":"auto","disable_parallel_tool_use":true}"#, ToolChoice.auto, false),
            (#"{"type":"any","disable_parallel_tool_use":false}"#, .required, true), (#"{"type":"none"}"#, .none, nil),
            (#"{"type":"tool","name":"f"}"#, .named("f"), nil),
        ] as [(String, ToolChoice, Bool?)])
    func toolChoice(text: String, choice: ToolChoice, parallel: Bool?) throws {
        let read = try ReadMessages(#""tools":[{"name":"f"}],"tool_choice":\#(text)"#)
        #expect(read.request.toolChoice == choice)
        #expect(read.request.allowsParallelCalls == parallel)
        #expect(read.dropped == [])
    }

    @Test("cannot force a tool of the provider's own")
    func hostedToolChoice() {
        let error = #expect(throws: TranslationError.self) {
            try ReadMessages(
                #""tools":[{"type":"web_search_20250305","name":"web_search"},{"name":"f"}],"#
                    + #""tool_choice":{"type":"tool","name":"web_search"}"#)
        }
        #expect(error?.member == "tool_choice")
    }

    @Test(
        "requests reasoning",
        arguments: [
            (#""thinking":{"type":"enabled","budget_tokens":2048}"#, ReasoningWish(budget: 2048), []),
            (#""thinking":{"type":"disabled"}"#, ReasoningWish(effort: ReasoningWish.Effort.none), []),
            (#""thinking":{"type":"adaptive","display":"summarized"}"#, ReasoningWish(isShown: true), []),
            (
                #""thinking":{"type":"adaptive","display":"omitted"},"output_config":{"effort":"max"}"#,
                ReasoningWish(effort: .max, isShown: false), []
            ), (#""output_config":{"effort":"low","later":1}"#, ReasoningWish(effort: .low), ["output_config.later"]),
            (#""output_config":{"effort":"huge"}"#, nil, ["output_config.effort"]),
            (#""thinking":{"type":"between_tools"}"#, ReasoningWish(), ["thinking.type"]),
            (
                #""thinking":{"type":"disabled"},"output_config":{"effort":"low"}"#,
                ReasoningWish(effort: ReasoningWish.Effort.none), ["output_config.effort"]
            ), (#""thinking":null,"output_config":{"effort":null}"#, nil, []),
        ] as [(String, ReasoningWish?, [String])])
    func reasoning(members: String, wish: ReasoningWish?, dropped: [String]) throws {
        let read = try ReadMessages(members)
        #expect(read.request.reasoning == wish)
        #expect(read.dropped == dropped)
    }

    @Test(
        "holds the response to a schema",
        arguments: [
            #""output_config":{"format":{"type":"json_schema","schema":SCHEMA}}"#,
            #""output_format":{"type":"json_schema","schema":SCHEMA}"#,
        ])
    func format(members: String) throws {
        func read(_ schema: JSONValue) throws -> ReadMessages {
            let parts = members.split(separator: "SCHEMA", omittingEmptySubsequences: false)
            return try ReadMessages(parts.joined(separator: schema.text))
        }
        let closed: JSONValue = ["type": "object", "additionalProperties": false]
        let strict = try read(closed)
        #expect(strict.request.format == .schema(closed, name: nil, description: nil, isStrict: true))
        #expect(strict.dropped == [])
        // Only Anthropic can enforce this schema.
        let loose = try read(["type": "object"])
        #expect(loose.request.format == .schema(["type": "object"], name: nil, description: nil, isStrict: false))
        #expect(loose.dropped == ["output_config.format"])
    }
}
