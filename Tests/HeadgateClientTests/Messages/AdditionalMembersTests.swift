import Testing

@testable import HeadgateClient

/// Members outside the protocol are retained.
@Suite struct AdditionalMembersTests {
    private static let whole = #"""
        {"id":"c","object":"chat.completion","created":1700000000,"model":"m","system_fingerprint":"fp_1",
        "service_tier":"default","choices":[{"index":0,"finish_reason":"stop","content_filter_results":{"hate":false},
        "logprobs":{"content":[{"token":"hi","logprob":-0.5,"bytes":[104,105],
        "top_logprobs":[{"token":"ho","logprob":-2}]}]},
        "message":{"role":"assistant","content":"hi","annotations":[1]}}],
        "usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,
        "prompt_tokens_details":{"cached_tokens":1},"completion_tokens_details":{"reasoning_tokens":2}}}
        """#

    @Test func wholeResponseRetainsThemAcrossStorage() throws {
        let completion = try JSONCoding.decode(ChatCompletion.self, from: Array(Self.whole.utf8))
        #expect(completion.created == 1_700_000_000 && completion.systemFingerprint == "fp_1")
        #expect(completion.additional == ["service_tier": "default"])
        let choice = try #require(completion.choices.first)
        #expect(choice.additional == ["content_filter_results": ["hate": false]])
        #expect(choice.message.additional == ["annotations": [1]])
        let token = try #require(choice.logProbabilities?.content.first)
        #expect(token.token == "hi" && token.logProbability == -0.5 && token.bytes == [104, 105])
        #expect(token.alternatives == [.init(token: "ho", logProbability: -2)])
        #expect(completion.usage?.cachedTokens == 1 && completion.usage?.reasoningTokens == 2)
        let again = try JSONCoding.decode(ChatCompletion.self, from: JSONCoding.encode(completion))
        #expect(again == completion)
    }

    @Test(
        arguments: [
            (#","speaks":["responses","chat"]"#, .chatCompletions), (#","speaks":["responses","messages"]"#, .messages),
            (#","speaks":["responses"]"#, .responses), (#","speaks":[]"#, .chatCompletions),
            (#","speaks":"chat""#, .chatCompletions), ("", .chatCompletions),
        ] as [(String, ChatRoute)])
    func routeOfAModelIsOneThatItSpeaks(member: String, route: ChatRoute) throws {
        let text = #"{"id":"m"\#(member)}"#
        #expect(try JSONCoding.decode(ModelDescription.self, from: Array(text.utf8)).chatRoute == route)
    }

    @Test func chunksRetainThem() async throws {
        let event = Events.data(
            #"{"id":"c","created":1.5,"model":"m","system_fingerprint":"f","x_groq":{"id":"r"},"choices":[{"index":0,"#
                + #""delta":{"content":"a","audio":{"id":"b"},"tool_calls":[{"index":0,"id":"t","#
                + #""extra_content":{"s":"g"},"function":{"name":"f"}}]},"#
                + #""logprobs":{"content":[{"token":"a","logprob":0}]},"stop_reason":7}]}"#)
        let transport = InMemoryTransport(.stream(event + Events.stop() + Events.done))
        var chunks: [ChatCompletionChunk] = []
        for try await chunk in try client(of: transport).chat.stream(ChatRequest(model: "m", prompt: "p")) {
            chunks.append(chunk)
        }
        let chunk = try #require(chunks.first)
        #expect(chunk.created == 1 && chunk.systemFingerprint == "f" && chunk.additional == ["x_groq": ["id": "r"]])
        let choice = try #require(chunk.choices.first)
        #expect(choice.logProbabilities?.content.map(\.token) == ["a"] && choice.additional == ["stop_reason": 7])
        #expect(choice.delta.additional == ["audio": ["id": "b"]])
        #expect(choice.delta.toolCalls.first?.additional == ["extra_content": ["s": "g"]])
        #expect(chunks.last?.additional.isEmpty == true)
    }

    private static let signed =
        #"{"id":"t","type":"function","extra_content":{"google":{"thought_signature":"s"}},"#
        + #""function":{"name":"weather","arguments":"{}"}}"#

    private struct Weather: Tool {
        struct Arguments: Decodable, Sendable {}
        let name = "weather"
        let description = "Tells the weather."
        let parameters: JSONValue = ["type": "object", "properties": [:]]

        func call(arguments _: Arguments) async throws -> String { "sun" }
    }

    /// Gemini refuses a second request without the signature of the first response.
    @Test(arguments: [true, false])
    func membersOfAToolCallAreSentBack(isStreamed: Bool) async throws {
        let whole =
            #"{"choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","tool_calls":["#
            + Self.signed + "]}}]}"
        // The signature can be in any piece.
        let pieces =
            Events.data(
                #"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","function":{"name":"weather"}}]}}]}"#
            )
            + Events.data(
                #"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"},"#
                    + #""extra_content":{"google":{"thought_signature":"s"}}}]},"finish_reason":"tool_calls"}]}"#)
            + Events.done
        let transport = InMemoryTransport(
            isStreamed ? .stream(pieces) : .json(whole), .words(["fine"]))
        let session = ChatSession(client: try client(of: transport), model: "m", tools: [Weather()])
        for try await _ in session.streamResponse(to: "weather?") {}
        let call: JSONValue = [
            "id": "t", "type": "function", "function": ["name": "weather", "arguments": "{}"],
            "extra_content": ["google": ["thought_signature": "s"]],
        ]
        let messages: JSONValue = [
            ["role": "user", "content": "weather?"], ["role": "assistant", "content": nil, "tool_calls": [call]],
            ["role": "tool", "content": "sun", "tool_call_id": "t"],
        ]
        #expect(try transport.received[1].json()["messages"] == messages)
    }

    @Test func oddFormsOfThemAreNotErrors() throws {
        let text = #"{"created":"soon","system_fingerprint":7,"choices":[{"logprobs":[1],"message":{"content":"a"}}]}"#
        let completion = try JSONCoding.decode(ChatCompletion.self, from: Array(text.utf8))
        #expect(completion.created == nil && completion.systemFingerprint == nil && completion.text == "a")
    }

    @Test func responseOnlyMembersAreNotSent() async throws {
        let transport = InMemoryTransport(.json(Self.whole))
        let client = try client(of: transport)
        let completion = try await client.chat.complete(ChatRequest(model: "m", prompt: "p"))
        _ = try await client.chat.complete(ChatRequest(model: "m", messages: completion.choices.map(\.message)))
        #expect(try transport.received[1].json()["messages"] == [["role": "assistant", "content": "hi"]])
    }

    @Test func countsOfRoundsAreAdded() {
        let round = TokenUsage(
            promptTokens: 1, completionTokens: 2,
            additional: ["prompt_tokens_details": ["cached_tokens": 3], "note": "a"])
        let sum = round + round
        #expect(sum.totalTokens == 6 && sum.cachedTokens == 6 && sum.additional["note"] == "a")
    }
}
