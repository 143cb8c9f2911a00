internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Chats through Anthropic's route, with the requests and responses of ``ChatOperations``.
public struct MessageOperations: Sendable {
    let api: any APIProtocol

    /// Returns a streamed response. The request is sent with the first iteration.
    public func stream(_ request: ChatRequest) -> CompletionStream<ChatCompletionChunk> {
        ChatOperations(api: api).stream(request.by(.messages))
    }

    /// Returns a whole response.
    ///
    /// - Throws: ``HeadgateClientError``.
    public func complete(_ request: ChatRequest) async throws -> ChatCompletion {
        try await ChatOperations(api: api).complete(request.by(.messages))
    }

    /// Returns the number of tokens that the model would read, without running it.
    ///
    /// - Throws: ``HeadgateClientError``.
    public func countTokens(_ request: ChatRequest) async throws -> Int {
        var members = try JSONCoding.decode(
            [String: JSONValue].self, from: request.by(.messages).body(isStream: false))
        for name in ["max_tokens", "temperature", "top_p", "stop_sequences"] { members[name] = nil }
        let body = HTTPBody.bytes(try JSONCoding.encode(members))
        let count: TokenCount = try await sendForValue {
            try await api.countMessageTokens(.init(body: .json(body))).encoded()
        }
        return count.inputTokens
    }

    private struct TokenCount: Decodable {
        let inputTokens: Int

        enum CodingKeys: String, CodingKey {
            case inputTokens = "input_tokens"
        }
    }
}

extension ChatRequest {
    func by(_ route: ChatRoute) -> ChatRequest {
        var request = self
        request.route = route
        return request
    }
}
