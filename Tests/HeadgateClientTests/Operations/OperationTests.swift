import HTTPTypes
import HeadgateAPI
import HeadgateHTTP
import Testing

@testable import HeadgateClient

@Suite struct OperationTests {
    @Test func chatRequestHasTheFormOfTheWire() async throws {
        let response =
            #"{"id":"c","model":"m","choices":[{"message":{"content":"hi","reasoning":"hm"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}"#
        let transport = InMemoryTransport(.json(response))
        var thought = ChatMessage.assistant("before")
        thought.reasoning = "secret thoughts"
        let call = ToolCall(id: "t1", name: "f", arguments: "{}")
        let request = ChatRequest(
            model: "m",
            messages: [
                .system("s"), .user(.parts([.text("look"), .image(url: "data:image/png;base64,AA==")])), thought,
                ChatMessage(role: .assistant, content: nil, toolCalls: [call]), .toolResult("4", of: call),
            ],
            tools: [ToolDefinition(name: "f", description: "d", parameters: ["type": "object"])],
            options: ChatOptions(
                temperature: 0.5, topP: 1, maximumResponseTokens: 9, stop: ["x"], seed: 7,
                additional: ["top_k": 3, "seed": 8]))
        let completion = try await client(of: transport).chat.complete(request)
        #expect(completion.text == "hi")
        #expect(completion.choices[0].message.reasoning == "hm")
        #expect(completion.usage == TokenUsage(promptTokens: 1, completionTokens: 2))
        let expected: JSONValue = [
            "model": "m", "temperature": 0.5, "top_p": 1, "max_tokens": 9, "stop": ["x"], "seed": 8, "top_k": 3,
            "messages": [
                ["role": "system", "content": "s"],
                [
                    "role": "user",
                    "content": [
                        ["type": "text", "text": "look"],
                        ["type": "image_url", "image_url": ["url": "data:image/png;base64,AA=="]],
                    ],
                ],
                ["role": "assistant", "content": "before"],
                [
                    "role": "assistant", "content": nil,
                    "tool_calls": [["id": "t1", "type": "function", "function": ["name": "f", "arguments": "{}"]]],
                ],
                ["role": "tool", "content": "4", "tool_call_id": "t1"],
            ],
            "tools": [
                [
                    "type": "function",
                    "function": ["name": "f", "description": "d", "parameters": ["type": "object"]],
                ]
            ],
        ]
        let received = try #require(transport.received.first)
        #expect(JSONValue.object(try received.json()) == expected)
        #expect(received.request.path == "/v1/chat/completions")
        #expect(received.request.headerFields[.contentType] == "application/json")
    }

    @Test func streamRequestsItsUsageByDefault() async throws {
        let transport = InMemoryTransport(.words(["a"]))
        var request = ChatRequest(model: "m", prompt: "p")
        _ = try await play(client(of: transport).chat.stream(request), \.addedText)
        request.includesUsage = false
        _ = try await play(client(of: transport).chat.stream(request), \.addedText)
        #expect(try transport.received[0].json()["stream_options"] == ["include_usage": true])
        #expect(try transport.received[1].json()["stream_options"] == nil)
        #expect(try transport.received[1].json()["stream"] == true)
    }

    @Test func everyLoopOverAStreamSendsItsOwnRequest() async throws {
        let transport = InMemoryTransport(.words(["a"]))
        let stream = try client(of: transport).chat.stream(ChatRequest(model: "m", prompt: "p"))
        #expect(transport.received.isEmpty)
        _ = try await play(stream, \.addedText)
        _ = try await play(stream, \.addedText)
        #expect(transport.received.count == 2)
    }

    @Test func modelsAreListedAndFound() async throws {
        let model = #"{"id":"org/m","object":"model","created":1,"owned_by":"on-device"}"#
        let transport = InMemoryTransport(.json(#"{"object":"list","data":[\#(model)]}"#), .json(model))
        let client = try client(of: transport)
        #expect(try await client.models.list().map(\.id) == ["org/m"])
        #expect(try await client.models.retrieve("org/m").owner == "on-device")
        #expect(transport.received.map { $0.request.path ?? "" } == ["/v1/models", "/v1/models/org%2Fm"])
    }

    @Test(arguments: [
        #"{"data":[{"index":1,"embedding":[-0.5]},{"index":0,"embedding":[1,2]}]}"#,
        #"{"data":[{"index":1,"embedding":"AAAAvw=="},{"index":0,"embedding":"AACAPwAAAEA="}]}"#,
    ])
    func embeddingsAreReadAsNumbersAndAsBase64(body: String) async throws {
        let transport = InMemoryTransport(.json(body))
        let embeddings = try await client(of: transport).embeddings.create(
            model: "m", texts: ["a", "b"], dimensions: 2)
        #expect(embeddings.vectors == [[1, 2], [-0.5]])
        #expect(
            try transport.received.first?.json()
                == ["model": "m", "input": ["a", "b"], "encoding_format": "float", "dimensions": 2])
    }

    @Test func brokenBase64IsADecodingFailure() async throws {
        for body in [#"{"data":[{"embedding":"AAA="}]}"#, #"{"data":[{"embedding":"*"}]}"#] {
            let client = try client(of: InMemoryTransport(.json(body)))
            do {
                _ = try await client.embeddings.create(model: "m", texts: ["a"])
                Issue.record("no error")
            } catch HeadgateClientError.decoding(let failure) {
                #expect(failure.path == "data[0].embedding")
            }
        }
    }

    @Test func errorWithStatus200IsStillAnError() async throws {
        let client = try client(of: InMemoryTransport(.json(#"{"error":{"message":"no"}}"#)))
        do {
            _ = try await client.chat.complete(ChatRequest(model: "m", prompt: "p"))
            Issue.record("no error")
        } catch HeadgateClientError.streamFailed(let error) {
            #expect(error.message == "no")
        }
    }

    @Test func pageInsteadOfAResponseIsNamed() async throws {
        var response = PlannedResponse.stream("<html>")
        response.fields = [.contentType: "text/html"]
        let client = try client(of: InMemoryTransport(response))
        await #expect { _ = try await client.chat.complete(ChatRequest(model: "m", prompt: "p")) } throws: { error in
            (error as? HeadgateClientError)?.description.contains("text/html") == true
        }
    }
}

/// A test double of the contract instead of a server.
@Suite struct InjectedProtocolTests {
    @Test func doubleOfTheContractResponds() async throws {
        let double = ContractDouble(
            chat: .ok(.init(body: .textEventStream(.bytes(Array((Events.delta("hi") + Events.stop()).utf8))))),
            models: .ok(.init(body: .json(.modelList(.init(data: [.init(id: "m", created: 1, ownedBy: "o")]))))))
        let client = HeadgateClient(client: double)
        #expect(try await client.models.list().map(\.id) == ["m"])
        #expect(try await ChatSession(client: client, model: "m").respond(to: "p").content == "hi")
    }

    @Test func errorOfTheDoubleIsTypedLikeAServers() async throws {
        let error = Components.Schemas.ErrorDetail(message: "slow down", type: "requests", code: "rate")
        let refusal = Components.Responses.TooManyRequests(
            headers: .init(xRequestId: "r1", retryAfter: 3), body: .json(.init(error: error)))
        let client = HeadgateClient(client: ContractDouble(chat: .tooManyRequests(refusal)))
        do {
            _ = try await client.chat.complete(ChatRequest(model: "m", prompt: "p"))
            Issue.record("no error")
        } catch HeadgateClientError.status(let failure) {
            let expected = StatusFailure(
                status: 429, error: APIError(message: "slow down", type: "requests", code: "rate"),
                retryHint: RetryHint(isRetryable: true, delay: .seconds(3)), requestID: "r1")
            #expect(failure == expected)
        }
    }
}
