import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateClient

/// Streams of Anthropic's Messages read as chats.
@Suite struct MessagesStreamTests {
    private static func event(_ type: String, _ members: String = "") -> String {
        "event: \(type)\ndata: {\"type\":\"\(type)\"\(members)}\n\n"
    }

    private static func text(_ text: String, index: Int = 0) -> String {
        event("content_block_delta", #","index":\#(index),"delta":{"type":"text_delta","text":"\#(text)"}"#)
    }

    private static let start = event(
        "message_start",
        #","message":{"id":"msg_1","model":"claude","role":"assistant","content":[],"#
            + #""usage":{"input_tokens":7,"cache_read_input_tokens":2,"output_tokens":1}}"#)

    private static func end(_ reason: String) -> String {
        event("message_delta", #","delta":{"stop_reason":"\#(reason)"},"usage":{"output_tokens":5}"#)
            + event("message_stop")
    }

    private func stream(_ body: String, end: PlannedResponse.End = .complete) throws -> CompletionStream<
        ChatCompletionChunk
    > {
        let transport = InMemoryTransport(.stream(body, end: end))
        return try client(of: transport).chat.stream(
            ChatRequest(model: "claude", messages: [.user("Hi.")], route: .messages))
    }

    private func response(_ body: String, end: PlannedResponse.End = .complete) async throws -> ChatResponse {
        let transport = InMemoryTransport(.stream(body, end: end))
        let session = ChatSession(client: try client(of: transport), model: "claude", instructions: "Be brief.")
        session.route = .messages
        let response = try await session.respond(to: "Hi.")
        let sent = try #require(transport.received.first)
        #expect(sent.request.path == "/v1/messages")
        #expect(try sent.json()["system"] == "Be brief.")
        return response
    }

    @Test func wholeStreamIsAResponse() async throws {
        let thought = Self.event(
            "content_block_delta", #","index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}"#)
        let response = try await response(
            Self.start + Self.event("ping")
                + Self.event("content_block_start", #","index":0,"content_block":{"type":"thinking","thinking":""}"#)
                + thought + Self.event("content_block_stop", #","index":0"#)
                + Self.event("content_block_start", #","index":1,"content_block":{"type":"text","text":""}"#)
                + Self.text("Hel", index: 1) + Self.text("lo", index: 1)
                + Self.event("content_block_stop", #","index":1"#) + Self.end("end_turn"))
        #expect(response.content == "Hello" && response.reasoning == "Hm." && response.isComplete)
        #expect(response.finishReason == .stop)
        #expect(response.usage?.promptTokens == 9 && response.usage?.completionTokens == 5)
        #expect(response.usage?.cachedTokens == 2)
    }

    @Test(arguments: [("max_tokens", FinishReason.length), ("refusal", FinishReason(rawValue: "refusal"))])
    func truncatedResponseIsDistinguishedFromAWholeOne(_ word: String, _ reason: FinishReason) async throws {
        let response = try await response(Self.start + Self.text("Half") + Self.end(word))
        #expect(response.finishReason == reason && reason.isCut)
    }

    @Test func truncatedStreamIsNotAResponse() async throws {
        let played = try await play(stream(Self.start + Self.text("Half"))) { $0.addedText }
        #expect(played == Played(pieces: ["", "Half"], error: "streamTruncated"))
        let broken = try await play(stream(Self.start + Self.text("Half"), end: .fail(.truncatedBody))) { $0.addedText }
        #expect(broken.error == "streamTruncated")
    }

    @Test(arguments: ["", "data: [DONE]\n\n"])
    func stopReasonAloneIsNotTheEnd(_ rest: String) async throws {
        let delta = Self.event("message_delta", #","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}"#)
        let played = try await play(stream(Self.start + Self.text("Half") + delta + rest)) { $0.addedText }
        #expect(played == Played(pieces: ["", "Half", ""], error: "streamTruncated"))
    }

    @Test func wholeResponseWithoutAReasonHasNone() async throws {
        let document = #"{"id":"msg_1","content":[{"type":"text","text":"Hi"}],"stop_reason":null}"#
        let request = ChatRequest(model: "claude", messages: [.user("Hi.")], route: .messages)
        let response = try await client(of: InMemoryTransport(.json(document))).chat.complete(request)
        #expect(response.text == "Hi" && response.choices.first?.finishReason == nil)
    }

    @Test func errorInTheStreamEndsIt() async throws {
        let failure = Self.event("error", #","error":{"type":"overloaded_error","message":"Overloaded"}"#)
        let played = try await play(stream(Self.start + Self.text("Half") + failure)) { $0.addedText }
        #expect(played == Played(pieces: ["", "Half"], error: "streamFailed"))
    }

    @Test func textAfterTheEndIsIgnored() async throws {
        let played = try await play(stream(Self.start + Self.text("a") + Self.end("end_turn") + Self.text("b"))) {
            $0.addedText
        }
        #expect(played == Played(pieces: ["", "a", ""], error: nil))
    }

    @Test func toolCallsArriveInPieces() async throws {
        let block = #","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"weather","input":{}}"#
        func piece(_ json: String) -> String {
            Self.event(
                "content_block_delta", #","index":1,"delta":{"type":"input_json_delta","partial_json":"\#(json)"}"#)
        }
        let body =
            Self.start + Self.event("content_block_start", block) + piece(#"{\"city\":"#) + piece(#"\"Bonn\"}"#)
            + Self.end("tool_use")
        var calls = ToolCallAssembly()
        for try await chunk in try stream(body) {
            for fragment in chunk.choices.flatMap(\.delta.toolCalls) { calls.add(fragment) }
        }
        #expect(calls.calls == [ToolCall(id: "toolu_1", name: "weather", arguments: #"{"city":"Bonn"}"#)])
    }

    @Test func wholeResponseIsReadToo() async throws {
        let document =
            #"{"id":"msg_1","type":"message","model":"claude","content":[{"type":"text","text":"Hi"},"#
            + #"{"type":"tool_use","id":"t","name":"f","input":{"a":1}}],"#
            + #""stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}}"#
        let transport = InMemoryTransport(.json(document))
        let request = ChatRequest(model: "claude", messages: [.user("Hi.")], route: .messages)
        let response = try await client(of: transport).chat.complete(request)
        #expect(response.text == "Hi" && response.choices.first?.finishReason == .toolCalls)
        #expect(response.choices.first?.message.toolCalls == [ToolCall(id: "t", name: "f", arguments: #"{"a":1}"#)])
        #expect(response.usage?.totalTokens == 3)
    }

    @Test func filesOfChatCompletionsHaveTheFormOfTheRoute() throws {
        let data = "data:application/pdf;base64,AAAA"
        let file: JSONValue = ["type": "file", "file": ["filename": "a.pdf", "file_data": .string(data)]]
        let uploaded: JSONValue = ["type": "file", "file": ["file_id": "f"]]
        func parts(_ route: ChatRoute) throws -> JSONValue? {
            let content = MessageContent.parts([.other(file), .other(uploaded)])
            let request = ChatRequest(model: "m", messages: [.user(content)], route: route)
            let body = try JSONCoding.decode(JSONValue.self, from: try request.body(isStream: false))
            guard case .object(let members) = body, case .array(let said)? = members["messages"] ?? members["input"],
                case .object(let message)? = said.first
            else { return nil }
            return message["content"]
        }
        let source: JSONValue = ["type": "base64", "media_type": "application/pdf", "data": "AAAA"]
        #expect(try parts(.chatCompletions) == [file, uploaded])
        #expect(try parts(.messages) == [["type": "document", "source": source, "title": "a.pdf"], uploaded])
        let input: JSONValue = ["type": "input_file", "filename": "a.pdf", "file_data": .string(data)]
        #expect(try parts(.responses) == [input, uploaded])
    }

    @Test func requestHasAnthropicsForm() throws {
        var options = ChatOptions(temperature: 0.5, maximumResponseTokens: 9, stop: ["."])
        options.additional = ["metadata": ["user_id": "u"]]
        let call = ToolCall(id: "t1", name: "weather", arguments: #"{"city":"Bonn"}"#)
        let image = MessageContent.parts([.text("See"), .image(url: "data:image/png;base64,AAAA")])
        let request = ChatRequest(
            model: "claude",
            messages: [
                .system("One."), .system("Two."), .user(image),
                ChatMessage(role: .assistant, content: nil, toolCalls: [call]), .toolResult("18", of: call),
                .user("And?"),
                .assistant(" "), .user("Well?"),
            ],
            tools: [ToolDefinition(name: "weather", description: "d", parameters: ["type": "object"])],
            options: options,
            route: .messages)
        let body = try JSONCoding.decode(JSONValue.self, from: try request.body(isStream: true))
        #expect(
            body == [
                "model": "claude", "max_tokens": 9, "temperature": 0.5, "stop_sequences": ["."], "stream": true,
                "metadata": ["user_id": "u"], "system": "One.\n\nTwo.",
                "tools": [["name": "weather", "description": "d", "input_schema": ["type": "object"]]],
                "messages": [
                    [
                        "role": "user",
                        "content": [
                            ["type": "text", "text": "See"],
                            [
                                "type": "image",
                                "source": ["type": "base64", "media_type": "image/png", "data": "AAAA"],
                            ],
                        ],
                    ],
                    [
                        "role": "assistant",
                        "content": [["type": "tool_use", "id": "t1", "name": "weather", "input": ["city": "Bonn"]]],
                    ],
                    [
                        "role": "user",
                        "content": [
                            ["type": "tool_result", "tool_use_id": "t1", "content": "18"],
                            ["type": "text", "text": "And?"], ["type": "text", "text": "Well?"],
                        ],
                    ],
                ],
            ])
    }
}
