import Testing

@testable import HeadgateClient

/// Chats over OpenAI's Responses.
@Suite struct ResponsesStreamTests {
    private static let request = ChatRequest(model: "m", messages: [.user("p")], route: .responses)

    private static func event(_ type: String, _ members: String) -> String {
        "event: \(type)\n" + Events.data(#"{"type":"\#(type)",\#(members)}"#)
    }

    private static let begin = event(
        "response.created", #""response":{"id":"r1","model":"m","created_at":7,"status":"in_progress","output":[]}"#)

    private static func end(_ status: String = "completed", _ more: String = "") -> String {
        event(
            "response.\(status)",
            #""response":{"id":"r1","model":"m","status":"\#(status)","output":[]\#(more),"error":null,"#
                + #""usage":{"input_tokens":3,"output_tokens":4,"total_tokens":7,"#
                + #""input_tokens_details":{"cached_tokens":2}}}"#)
    }

    private static func text(_ text: String) -> String {
        event("response.output_text.delta", #""output_index":1,"content_index":0,"delta":"\#(text)""#)
    }

    private func chunks(_ text: String) async throws -> [ChatCompletionChunk] {
        var chunks: [ChatCompletionChunk] = []
        for try await chunk in try client(of: InMemoryTransport(.stream(text))).chat.stream(Self.request) {
            chunks.append(chunk)
        }
        return chunks
    }

    @Test func eventsArePiecesOfAChat() async throws {
        let thought = Self.event("response.reasoning_summary_text.delta", #""output_index":0,"delta":"hm""#)
        let done = Self.event("response.output_text.done", #""output_index":1,"text":"Hello""#)
        let chunks = try await chunks(Self.begin + thought + Self.text("Hel") + Self.text("lo") + done + Self.end())
        #expect(chunks.map(\.addedText).joined() == "Hello")
        #expect(chunks.compactMap { $0.choices.first?.delta.reasoning } == ["hm"])
        #expect(chunks.allSatisfy { $0.id == "r1" && $0.model == "m" && $0.created == 7 })
        #expect(chunks.first?.choices.first?.delta.role == .assistant)
        #expect(chunks.last?.choices.first?.finishReason == .stop)
        #expect(chunks.last?.usage?.promptTokens == 3 && chunks.last?.usage?.cachedTokens == 2)
    }

    @Test(arguments: [
        ("incomplete", #","incomplete_details":{"reason":"max_output_tokens"}"#, FinishReason.length),
        ("incomplete", #","incomplete_details":{"reason":"content_filter"}"#, .contentFilter),
        ("incomplete", "", FinishReason(rawValue: "incomplete")),
    ])
    func truncatedResponseHasAReason(status: String, more: String, reason: FinishReason) async throws {
        let chunks = try await chunks(Self.begin + Self.text("a") + Self.end(status, more))
        #expect(chunks.last?.choices.first?.finishReason == reason && reason.isCut)
    }

    @Test func streamWithoutItsLastEventIsTruncated() async throws {
        for end in ["", Events.done] {
            let transport = InMemoryTransport(.stream(Self.begin + Self.text("a") + end))
            let played = try await play(client(of: transport).chat.stream(Self.request), \.addedText)
            #expect(played == Played(pieces: ["", "a"], error: "streamTruncated"))
        }
    }

    @Test(arguments: [
        event("response.failed", #""response":{"id":"r1","status":"failed","error":{"code":"c","message":"no"}}"#),
        event("error", #""code":"c","message":"no","param":null"#),
        event("error", #""error":{"code":"c","message":"no"}"#),
    ])
    func failureInsideAStreamIsTyped(failure: String) async throws {
        let transport = InMemoryTransport(.stream(Self.begin + Self.text("a") + failure))
        do {
            for try await _ in try client(of: transport).chat.stream(Self.request) {}
            Issue.record("no error")
        } catch HeadgateClientError.streamFailed(let error) {
            #expect(error.message == "no" && error.code == "c")
        }
    }

    private struct Weather: Tool {
        struct Arguments: Decodable, Sendable { let city: String }
        let name = "weather"
        let description = "d"
        let parameters: JSONValue = ["type": "object"]
        func call(arguments: Arguments) async throws -> String { "mild in \(arguments.city)" }
    }

    @Test(arguments: [true, false])
    func toolsAreCalledAndTheirResultsGoBack(inPieces: Bool) async throws {
        let item =
            #""output_index":0,"item":{"type":"function_call","id":"f","call_id":"t1","name":"weather","#
            + #""arguments":""}"#
        var call = Self.event("response.output_item.added", item)
        for piece in inPieces ? [#"{\"city\":"#, #"\"Rome\"}"#] : [] {
            call += Self.event("response.function_call_arguments.delta", #""output_index":0,"delta":"\#(piece)""#)
        }
        call += Self.event(
            "response.function_call_arguments.done", #""output_index":0,"arguments":"{\"city\":\"Rome\"}""#)
        let transport = InMemoryTransport(
            .stream(Self.begin + call + Self.end()), .stream(Self.begin + Self.text("Mild.") + Self.end()))
        let session = ChatSession(
            client: try client(of: transport), model: "m", instructions: "Be brief.", tools: [Weather()])
        session.route = .responses
        #expect(try await session.respond(to: "Rome?").content == "Mild.")
        #expect(transport.received.map { $0.request.path ?? "" } == ["/v1/responses", "/v1/responses"])
        let body = try transport.received[1].json()
        #expect(
            body["input"] == [
                ["role": "system", "content": "Be brief."], ["role": "user", "content": "Rome?"],
                [
                    "type": "function_call", "call_id": "t1", "name": "weather", "arguments": #"{"city":"Rome"}"#,
                ],
                ["type": "function_call_output", "call_id": "t1", "output": "mild in Rome"],
            ])
        #expect(
            body["tools"] == [
                [
                    "type": "function", "name": "weather", "description": "d", "parameters": ["type": "object"],
                    "strict": false,
                ]
            ])
    }

    private static let whole = #"""
        {"id":"r1","object":"response","created_at":7,"model":"m","status":"completed","error":null,"truncation":"off",
        "output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]},
        {"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]},
        {"type":"web_search_call"}],
        "usage":{"input_tokens":1,"output_tokens":2}}
        """#

    @Test func wholeResponseIsAChatCompletion() async throws {
        let transport = InMemoryTransport(.json(Self.whole))
        let options = ChatOptions(
            temperature: 0.5, maximumResponseTokens: 20, toolChoice: .required, responseFormat: .jsonObject,
            additional: ["store": true, "previous_response_id": "r0"])
        let content = MessageContent.parts([.text("look"), .image(url: "https://a/b.png")])
        let request = ChatRequest(model: "m", messages: [.user(content)], options: options)
        let completion = try await client(of: transport).responses.complete(request)
        #expect(completion.text == "hi" && completion.choices[0].message.reasoning == "hm" && completion.id == "r1")
        #expect(completion.usage == TokenUsage(promptTokens: 1, completionTokens: 2) && completion.created == 7)
        #expect(completion.choices[0].finishReason == .stop && completion.additional["truncation"] == "off")
        #expect(
            try transport.received[0].json() == [
                "model": "m", "temperature": 0.5, "max_output_tokens": 20, "store": true, "previous_response_id": "r0",
                "text": ["format": ["type": "json_object"]],
                "input": [
                    [
                        "role": "user",
                        "content": [
                            ["type": "input_text", "text": "look"],
                            ["type": "input_image", "image_url": "https://a/b.png"],
                        ],
                    ]
                ],
            ])
    }

    @Test(
        arguments: [
            ("queued", nil), ("in_progress", nil), ("failed", FinishReason(rawValue: "failed")),
            ("cancelled", FinishReason(rawValue: "cancelled")), ("completed", .stop),
        ] as [(String, FinishReason?)])
    func storedResponseReportsWhetherItHasEnded(status: String, reason: FinishReason?) async throws {
        let transport = InMemoryTransport(
            .json(#"{"id":"r1","model":"m","status":"\#(status)","output":[],"error":null}"#))
        let completion = try await client(of: transport).responses.retrieve("r1")
        #expect(completion.choices[0].finishReason == reason)
        #expect(reason?.isCut == ["failed": true, "cancelled": true, "completed": false][status])
    }

    @Test func itemsOfOtherKindsCanContainAnything() async throws {
        let text = #"{"type":"message","content":[{"type":"output_text","text":"hi"}]}"#
        let other = #"{"type":"x_call","call_id":1,"name":[],"arguments":{"a":1},"content":"c","summary":{}}"#
        let transport = InMemoryTransport(
            .json(#"{"id":"r1","model":"m","status":"completed","output":[\#(other),\#(text)]}"#))
        let completion = try await client(of: transport).responses.complete(Self.request)
        #expect(completion.text == "hi" && completion.choices[0].message.toolCalls.isEmpty)
    }

    @Test func storedResponsesAreFoundStoppedAndDeleted() async throws {
        let transport = InMemoryTransport(.json(Self.whole))
        let responses = try client(of: transport).responses
        #expect(try await responses.retrieve("r1").text == "hi")
        #expect(try await responses.cancel("r1").text == "hi")
        try await responses.delete("r/1")
        #expect(
            transport.received.map { "\($0.request.method) \($0.request.path ?? "")" } == [
                "GET /v1/responses/r1", "POST /v1/responses/r1/cancel", "DELETE /v1/responses/r%2F1",
            ])
    }

    @Test func schemaIsNextToItsType() async throws {
        let transport = InMemoryTransport(.json(#"{"output":[]}"#))
        let schema = JSONSchema(name: "n", description: "d", schema: ["type": "object"])
        var request = Self.request
        request.options.responseFormat = .jsonSchema(schema)
        _ = try await client(of: transport).chat.complete(request)
        let format: JSONValue = [
            "type": "json_schema", "name": "n", "description": "d", "schema": ["type": "object"], "strict": true,
        ]
        #expect(try transport.received[0].json()["text"] == ["format": format])
    }

    @Test func messagesAreCountedWithoutBeingSent() async throws {
        let transport = InMemoryTransport(.json(#"{"input_tokens":12}"#))
        let count = try await client(of: transport).messages.countTokens(
            ChatRequest(model: "m", messages: [.system("s"), .user("p")], options: ChatOptions(temperature: 1)))
        #expect(count == 12 && transport.received[0].request.path == "/v1/messages/count_tokens")
        #expect(try transport.received[0].json().keys.sorted() == ["messages", "model", "system"])
    }
}
