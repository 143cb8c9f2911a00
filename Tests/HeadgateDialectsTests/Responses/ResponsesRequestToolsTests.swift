import Testing

@testable import HeadgateDialects

@Suite("Tools of Responses requests")
struct ResponsesRequestToolsTests {
    private static let weather = #"{"type":"function","name":"weather","parameters":{"type":"object"},"strict":false}"#

    private func request(_ members: String) throws -> ModelRequest {
        try readResponses(#""input":"x",\#(members)"#).request
    }

    @Test("are functions, free-text tools, and namespaced tools")
    func kinds() throws {
        let tools = try request(
            #"""
            "tools":[\#(Self.weather),
             {"type":"custom","name":"patch","description":"d",
              "format":{"type":"grammar","syntax":"lark","definition":"x"}},
             {"type":"custom","name":"note","format":{"type":"text"}},
             {"type":"namespace","name":"ns","tools":[
              {"type":"function","name":"inner","description":"e","parameters":null}]}]
            """#
        ).tools
        let grammar: JSONValue = ["type": "grammar", "syntax": "lark", "definition": "x"]
        #expect(
            tools == [
                .function(.init(name: "weather", parameters: ["type": "object"], isStrict: false)),
                .custom(name: "patch", description: "d", format: grammar),
                .custom(name: "note", description: nil, format: nil),
                .function(.init(name: "inner", description: "e")),
            ])
    }

    @Test("with the same name in several namespaces are distinguished, also in history and choices")
    func namespaces() throws {
        let read = try request(
            #"""
            "tools":[{"type":"namespace","name":"mcp__a__","tools":[{"type":"function","name":"find"}]},
             {"type":"namespace","name":"b","tools":[{"type":"function","name":"find"}]}],
            "tool_choice":{"type":"function","name":"find","namespace":"b"}
            """#)
        #expect(read.tools.map(\.name) == ["mcp__a__find", "b__find"])
        #expect(read.toolChoice == .named("b__find"))
        let call = try readResponses(
            #"""
            "tools":[{"type":"function","name":"find"},{"type":"namespace","name":"b","tools":[{"type":"function",
             "name":"find"}]}],"input":[{"type":"function_call","call_id":"c","name":"find","namespace":"b",
             "arguments":"{}"}]
            """#)
        #expect(call.request.messages == [Message(.assistant, [.call("c", "b__find", "{}")])])
    }

    @Test(
        "are chosen in every form",
        arguments: [
            (#""auto""#, ToolChoice.auto), (#""none""#, .none), (#""required""#, .required), (#""any""#, .required),
            (#"{"type":"function","name":"weather"}"#, .named("weather")),
            (#"{"type":"custom","name":"weather"}"#, .named("weather")), (#"{"type":"any"}"#, .required),
            (#"{"type":"tool"}"#, .required), (#"{"type":"tool","name":"weather"}"#, .named("weather")),
            (
                #"{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"weather"}]}"#,
                .allowed(["weather"], isRequired: true)
            ),
            (#"{"type":"allowed_tools","mode":"auto","tools":[]}"#, .allowed([], isRequired: false)),
        ])
    func choices(choice: String, expected: ToolChoice) throws {
        #expect(try request(#""tools":[\#(Self.weather)],"tool_choice":\#(choice)"#).toolChoice == expected)
    }

    @Test("need no choice if there are none")
    func noTools() throws {
        let read = try request(#""tools":[],"tool_choice":"auto","parallel_tool_calls":true"#)
        #expect(read.toolChoice == nil)
        #expect(read.allowsParallelCalls == nil)
    }

    @Test("that a choice allows are named if only the provider runs them")
    func allowedHostedTools() throws {
        let read = try readResponses(
            #"""
            "input":"x","tools":[\#(Self.weather)],"parallel_tool_calls":false,"tool_choice":{"type":"allowed_tools",
            "mode":"auto","tools":[{"type":"web_search"},{"type":"function","name":"weather"}]}
            """#)
        #expect(read.request.toolChoice == .allowed(["weather"], isRequired: false))
        #expect(read.request.allowsParallelCalls == false)
        #expect(read.dropped == ["tool_choice.tools[].type"])
    }
}
