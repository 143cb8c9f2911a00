internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Chats through OpenAI's Responses, with the requests and responses of ``ChatOperations``.
///
/// The server stores a response if the request's ``ChatOptions/additional`` has `"store": true`. A later request can
/// then name it as `previous_response_id`, and send only new messages.
public struct ResponseOperations: Sendable {
    let api: any APIProtocol

    /// Returns a streamed response. The request is sent with the first iteration.
    public func stream(_ request: ChatRequest) -> CompletionStream<ChatCompletionChunk> {
        ChatOperations(api: api).stream(request.by(.responses))
    }

    /// Returns a whole response.
    ///
    /// - Throws: ``HeadgateClientError``.
    public func complete(_ request: ChatRequest) async throws -> ChatCompletion {
        try await ChatOperations(api: api).complete(request.by(.responses))
    }

    /// Returns a response that the server has stored.
    ///
    /// - Throws: ``HeadgateClientError/status(_:)`` with 404 if there is no such response.
    public func retrieve(_ id: String) async throws -> ChatCompletion {
        let response: ResponsesResponse = try await sendForValue {
            try await api.retrieveResponse(.init(path: .init(responseId: id))).encoded()
        }
        return response.completion
    }

    /// Cancels a response that runs in the background.
    ///
    /// - Returns: The response so far.
    /// - Throws: ``HeadgateClientError/status(_:)`` with 404 if there is no such response.
    public func cancel(_ id: String) async throws -> ChatCompletion {
        let response: ResponsesResponse = try await sendForValue {
            try await api.cancelResponse(.init(path: .init(responseId: id))).encoded()
        }
        return response.completion
    }

    /// Deletes a response that the server has stored.
    ///
    /// - Throws: ``HeadgateClientError/status(_:)`` with 404 if there is no such response.
    public func delete(_ id: String) async throws {
        _ = try await send { try await api.deleteResponse(.init(path: .init(responseId: id))).encoded() }
    }
}
