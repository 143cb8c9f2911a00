import Testing

@testable import HeadgateDialects

@Suite("Tools written for Messages")
struct MessagesToolsTests {
    private let tools: [Tool] = [.function(.init(name: "f")), .function(.init(name: "g"))]

    @Test("have an input schema, a description and strictness")
    func functions() throws {
        let schema: JSONValue = ["properties": ["x": ["type": "string"]]]
        let written = try WrittenMessages(
            ModelRequest {
                $0.tools = [
                    .function(.init(name: "f", description: "D", parameters: schema, isStrict: true)),
                    .function(.init(name: "g", isStrict: false)),
                ]
            })
        #expect(
            written.text("tools")
                == #"[{"name":"f","description":"D","input_schema":{"properties":{"x":{"type":"string"}},"type":"object","#
                + #""additionalProperties":false},"strict":true},{"name":"g","input_schema":{"type":"object","properties":{}}}]"#
        )
        #expect(written.body["tool_choice"] == nil)
    }

    @Test("for free text have one member")
    func custom() throws {
        let written = try WrittenMessages(
            ModelRequest([
                Message(.user, "Hi"), Message(.assistant, .call("1", "patch", "a\"b", isCustom: true)),
                Message(.tool, .result("1", "done")),
            ]) {
                $0.tools = [
                    .custom(
                        name: "patch", description: "D",
                        format: ["type": "grammar", "syntax": "lark", "definition": "start: X"])
                ]
            })
        #expect(
            written.text("tools")
                == #"[{"name":"patch","description":"D\n\nThe input follows this grammar (lark):\nstart: X","#
                + #""input_schema":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}}]"#)
        #expect(written.text("messages").contains(#""name":"patch","input":{"input":"a\"b"}"#))
        #expect(written.dropped == ["tools[].custom"])
    }

    @Test("get unique names that the provider accepts, in the history too")
    func names() throws {
        let long = String(repeating: "n", count: 200)
        let request = ModelRequest([Message(.assistant, .call("1", "a.b"), .call("2", "old name"))]) {
            $0.tools = ["a_b", "a.b", "a b", long].map { .function(.init(name: $0)) }
            $0.toolChoice = .named("a.b")
        }
        let written = try WrittenMessages(request)
        let names = written.body["tools"]?.array?.compactMap { $0["name"]?.string }
        #expect(names == ["a_b", "a_b_2", "a_b_3", String(repeating: "n", count: 128)])
        #expect(written.text("tool_choice") == #"{"type":"tool","name":"a_b_2"}"#)
        #expect(written.text("messages").contains(#""name":"a_b_2""#))
        #expect(written.text("messages").contains(#""name":"old_name""#))
        #expect(
            written.toolNames == [
                "a_b_2": "a.b", "a_b_3": "a b", "old_name": "old name", String(repeating: "n", count: 128): long,
            ])
    }

    @Test(
        "are chosen as the client requests",
        arguments: [
            (ToolChoice.auto, nil, #"{"type":"auto"}"#), (ToolChoice.none, false, #"{"type":"none"}"#),
            (.required, nil, #"{"type":"any"}"#), (.named("g"), true, #"{"type":"tool","name":"g"}"#),
            (.required, false, #"{"type":"any","disable_parallel_tool_use":true}"#),
            (nil, false, #"{"type":"auto","disable_parallel_tool_use":true}"#), (nil, nil, ""), (nil, true, ""),
        ] as [(ToolChoice?, Bool?, String)])
    func choice(choice: ToolChoice?, parallel: Bool?, text: String) throws {
        let written = try WrittenMessages(
            ModelRequest {
                $0.tools = tools
                $0.toolChoice = choice
                $0.allowsParallelCalls = parallel
            })
        #expect(written.text("tool_choice") == text)
    }

    @Test("are only the allowed ones", arguments: [(true, "any"), (false, "auto")])
    func allowed(isRequired: Bool, type: String) throws {
        func request(_ names: [String]) -> ModelRequest {
            ModelRequest {
                $0.tools = tools
                $0.toolChoice = .allowed(names, isRequired: isRequired)
            }
        }
        let written = try WrittenMessages(request(["g"]))
        #expect(written.body["tools"]?.array?.map { $0["name"] } == ["g"])
        #expect(written.text("tool_choice") == #"{"type":"\#(type)"}"#)
        #expect(throws: TranslationError.self) { try WrittenMessages(request(["x"])) }
    }

    @Test("cannot be forced on the newest models")
    func forced() throws {
        let request = ModelRequest {
            $0.tools = tools
            $0.toolChoice = .named("f")
        }
        let written = try WrittenMessages(request, model: "claude-opus-5-5")
        #expect(written.text("tool_choice") == #"{"type":"auto"}"#)
        #expect(written.dropped == ["tool_choice"])
    }

    @Test("of the history are declared if the request has none")
    func historyAlone() throws {
        let request = ModelRequest([Message(.assistant, .call("1", "z"), .call("2", "y"))]) {
            $0.toolChoice = .required
        }
        let written = try WrittenMessages(request)
        #expect(
            written.text("tools")
                == #"[{"name":"y","input_schema":{"type":"object","properties":{}}},"#
                + #"{"name":"z","input_schema":{"type":"object","properties":{}}}]"#)
        #expect(written.text("tool_choice") == #"{"type":"none"}"#)
        #expect(written.dropped == ["tool_choice"])
        #expect(try WrittenMessages(ModelRequest.greeting).body["tools"] == nil)
    }
}
