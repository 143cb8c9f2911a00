import Testing

@testable import HeadgateClient

@Suite struct ChatOptionsTests {
    private let tools = [ToolDefinition(name: "f", description: "d", parameters: ["type": "object"])]

    @Test(arguments: [
        ("gpt-4o", "max_tokens"), ("gpt-5-mini", "max_completion_tokens"), ("openai/gpt-5.1", "max_completion_tokens"),
        ("o1", "max_completion_tokens"), ("o3-mini", "max_completion_tokens"), ("o", "max_tokens"),
        ("ollama3", "max_tokens"), ("olmo-2", "max_tokens"), ("gpt-oss-20b", "max_tokens"), ("", "max_tokens"),
    ])
    func limitHasTheModelsName(model: String, name: String) async throws {
        let transport = InMemoryTransport(.json(#"{"choices":[]}"#))
        let options = ChatOptions(maximumResponseTokens: 9)
        _ = try await client(of: transport).chat.complete(ChatRequest(model: model, prompt: "p", options: options))
        let body = try transport.received[0].json()
        #expect(body[name] == 9 && body.keys.filter { $0.hasPrefix("max") }.count == 1)
    }

    private static let refusal = PlannedResponse.json(
        #"{"error":{"message":"Unsupported parameter: use 'max_completion_tokens' instead.","param":"max_tokens"}}"#,
        status: 400)

    @Test func serverThatRequiresTheOtherNameGetsIt() async throws {
        let transport = InMemoryTransport(Self.refusal, .words(["a"]))
        let request = ChatRequest(model: "fast", prompt: "p", options: ChatOptions(maximumResponseTokens: 9))
        let played = try await play(client(of: transport).chat.stream(request), \.addedText)
        #expect(played.pieces.first == "a" && transport.received.count == 2)
        #expect(try transport.received[1].json()["max_completion_tokens"] == 9)
    }

    @Test func appsOwnMemberIsNotOverridden() async throws {
        let transport = InMemoryTransport(Self.refusal)
        var request = ChatRequest(model: "fast", prompt: "p", options: ChatOptions(maximumResponseTokens: 9))
        request.options.tokenLimitMember = .maxTokens
        await #expect(throws: HeadgateClientError.self) { _ = try await client(of: transport).chat.complete(request) }
        #expect(transport.received.count == 1)
    }

    @Test(
        arguments: [
            (.automatic, "auto", ["type": "auto"]), (.never, "none", ["type": "none"]),
            (.required, "required", ["type": "any"]),
            (
                .tool("f"), ["type": "function", "function": ["name": "f"]],
                ["type": "tool", "name": "f"]
            ),
        ] as [(ToolChoice, JSONValue, JSONValue)])
    func choiceOfToolsHasTheFormOfItsRoute(choice: ToolChoice, chat: JSONValue, messages: JSONValue) async throws {
        let transport = InMemoryTransport(.json(#"{"choices":[],"content":[]}"#))
        let client = try client(of: transport)
        let options = ChatOptions(toolChoice: choice)
        var request = ChatRequest(model: "m", messages: [.user("p")], tools: tools, options: options)
        _ = try await client.chat.complete(request)
        request.route = .messages
        _ = try await client.chat.complete(request)
        request.tools = []
        _ = try await client.chat.complete(request)
        let bodies = try transport.received.map { try $0.json()["tool_choice"] }
        #expect(bodies == [chat, messages, nil])
    }

    @Test func toolsAreForbiddenByAnImplicitMember() async throws {
        let transport = InMemoryTransport(.json(#"{"choices":[],"content":[],"output":[]}"#))
        var request = ChatRequest(model: "m", messages: [.user("p")], tools: tools)
        request.options.toolChoice = .never
        for route in [ChatRoute.chatCompletions, .messages, .responses] {
            request.route = route
            _ = try await client(of: transport).chat.complete(request)
        }
        let bodies = try transport.received.map { try $0.json()["tool_choice"] }
        #expect(bodies == ["none", ["type": "none"], "none"])
    }

    @Test func sequentialToolCallsAreExpressedInAnthropicsFormatToo() async throws {
        let transport = InMemoryTransport(.json(#"{"content":[]}"#))
        let request = ChatRequest(
            model: "m", messages: [.user("p")], tools: tools, options: ChatOptions(allowsParallelToolCalls: false),
            route: .messages)
        _ = try await client(of: transport).chat.complete(request)
        #expect(
            try transport.received[0].json()["tool_choice"] == ["type": "auto", "disable_parallel_tool_use": true])
    }
}
