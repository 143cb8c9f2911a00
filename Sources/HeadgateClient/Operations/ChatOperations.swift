internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Chat completions.
public struct ChatOperations: Sendable {
    let api: any APIProtocol

    /// A streamed response. The request is sent when the first piece is asked for.
    public func stream(_ request: ChatRequest) -> CompletionStream<ChatCompletionChunk> {
        let api = api
        switch request.route {
        case .chatCompletions:
            return CompletionStream(choices: request.options.expectedChoices) {
                try await rawResponse(api, request, isStream: true)
            }
        case .messages:
            return CompletionStream(choices: 1, pieces: MessagesPieces()) {
                try await rawResponse(api, request, isStream: true)
            }
        }
    }

    /// A whole response.
    ///
    /// - Throws: ``HeadgateClientError``.
    public func complete(_ request: ChatRequest) async throws -> ChatCompletion {
        switch request.route {
        case .chatCompletions: try await sendForValue { try await rawResponse(api, request, isStream: false) }
        case .messages:
            try await sendForValue(MessagesResponse.self) { try await rawResponse(api, request, isStream: false) }
                .completion
        }
    }
}

private func rawResponse(_ api: any APIProtocol, _ request: ChatRequest, isStream: Bool) async throws -> RawResponse {
    let body = HTTPBody.bytes(try request.body(isStream: isStream))
    return try await send {
        switch request.route {
        case .chatCompletions: try await api.createChatCompletion(.init(body: .json(body))).encoded()
        case .messages: try await api.createMessage(.init(body: .json(body))).encoded()
        }
    }
}
