internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Chat completions.
public struct ChatOperations: Sendable {
    let api: any APIProtocol

    /// Returns a streamed response. The request is sent with the first iteration.
    public func stream(_ request: ChatRequest) -> CompletionStream<ChatCompletionChunk> {
        let api = api
        return stream(on: request.route, choices: request.options.expectedChoices, at: nil) {
            try await rawResponse(api, request, isStream: true)
        }
    }

    /// Returns the rest of a streamed response that began earlier, perhaps in another run of the app.
    ///
    /// Each iteration begins after `position`. A response that had already ended has no chunks. A response that has no
    /// more chunks without having ended throws ``HeadgateClientError/streamTruncated(_:)``.
    ///
    /// - Parameters:
    ///   - position: Value of ``CompletionStream/AsyncIterator/position``.
    ///   - route: Route of the request.
    ///   - choices: Number of requested choices.
    /// - Throws: During iteration, ``HeadgateClientError/status(_:)``. The status is 404 if the server does not have
    ///   the stream, 410 if it no longer has all of the rest, and 400 for a position outside the stream.
    public func resume(
        _ position: StreamPosition, route: ChatRoute = .chatCompletions, choices: Int = 1
    ) -> CompletionStream<ChatCompletionChunk> {
        let api = api
        return stream(on: route, choices: choices, at: position) { try await rest(api, position) }
    }

    /// Stops a response that continues without its reader.
    ///
    /// - Throws: ``HeadgateClientError``; ``HeadgateClientError/status(_:)`` with status 404 if there is none.
    public func stop(_ position: StreamPosition) async throws {
        _ = try await send { try await api.stopStream(.init(path: .init(requestId: position.streamID))).encoded() }
    }

    private func stream(
        on route: ChatRoute, choices: Int, at position: StreamPosition?,
        send: @escaping @Sendable () async throws -> RawResponse
    ) -> CompletionStream<ChatCompletionChunk> {
        let api = api
        let resumption = StreamResumption(position: position) { try await rest(api, $0) }
        return switch route {
        case .chatCompletions: CompletionStream(choices: choices, resumption: resumption, send: send)
        case .messages:
            CompletionStream(choices: 1, pieces: MessagesPieces(), resumption: resumption, send: send)
        case .responses:
            CompletionStream(choices: 1, pieces: ResponsesPieces(), resumption: resumption, send: send)
        }
    }

    /// Returns a whole response.
    ///
    /// - Throws: ``HeadgateClientError``.
    public func complete(_ request: ChatRequest) async throws -> ChatCompletion {
        switch request.route {
        case .chatCompletions: try await sendForValue { try await rawResponse(api, request, isStream: false) }
        case .messages:
            try await sendForValue(MessagesResponse.self) { try await rawResponse(api, request, isStream: false) }
                .completion
        case .responses:
            try await sendForValue(ResponsesResponse.self) { try await rawResponse(api, request, isStream: false) }
                .completion
        }
    }
}

extension ChatOperations {
    /// Returns a whole response as a value of a type.
    ///
    /// - Parameters:
    ///   - request: The request. Its response format is replaced.
    ///   - type: Type of the value.
    ///   - schema: Schema for the model; derived from the type by default.
    /// - Throws: ``HeadgateClientError``; ``HeadgateClientError/refused(_:)`` if the model declines,
    ///   ``HeadgateClientError/answerCut(_:)`` if the reply is cut, and ``HeadgateClientError/decoding(_:)`` if the
    ///   reply is not a value of the type.
    public func complete<Value: Decodable>(
        _ request: ChatRequest, as type: Value.Type, schema: JSONSchema? = nil
    ) async throws -> Value {
        let schema = try schema ?? JSONSchema(of: type)
        var request = request
        request.options.responseFormat = .jsonSchema(schema)
        let choice = try await complete(request).choices.first
        return try TypedAnswer.value(
            type, in: choice?.message.text ?? "", refusal: choice?.message.refusal ?? "",
            finishReason: choice?.finishReason, isWrapped: schema.isWrapped)
    }
}

private func rest(_ api: any APIProtocol, _ position: StreamPosition) async throws -> RawResponse {
    try await send {
        try await api.resumeStream(
            .init(path: .init(requestId: position.streamID), headers: .init(lastEventId: position.lastEventID))
        ).encoded()
    }
}

private func rawResponse(_ api: any APIProtocol, _ request: ChatRequest, isStream: Bool) async throws -> RawResponse {
    do {
        return try await firstResponse(api, request, isStream: isStream)
    } catch HeadgateClientError.status(let failure) where request.mayNameItsLimitAnew(after: failure) {
        var request = request
        request.options.tokenLimitMember = .maxCompletionTokens
        return try await firstResponse(api, request, isStream: isStream)
    }
}

private func firstResponse(
    _ api: any APIProtocol, _ request: ChatRequest, isStream: Bool
) async throws -> RawResponse {
    let body = HTTPBody.bytes(try request.body(isStream: isStream))
    return try await send {
        switch request.route {
        case .chatCompletions: try await api.createChatCompletion(.init(body: .json(body))).encoded()
        case .messages: try await api.createMessage(.init(body: .json(body))).encoded()
        case .responses: try await api.createResponse(.init(body: .json(body))).encoded()
        }
    }
}
