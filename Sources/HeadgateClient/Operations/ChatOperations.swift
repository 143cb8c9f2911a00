internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Chat completions.
public struct ChatOperations: Sendable {
    let api: any APIProtocol

    /// A streamed response. The request is sent when the first piece is asked for.
    public func stream(_ request: ChatRequest) -> CompletionStream<ChatCompletionChunk> {
        let api = api
        return stream(on: request.route, choices: request.options.expectedChoices, at: nil) {
            try await rawResponse(api, request, isStream: true)
        }
    }

    /// The rest of a streamed response that was begun before, perhaps by another run of the app.
    ///
    /// Each iteration begins behind `position`. A response whose end had come already has no pieces; one that has
    /// nothing more although its end had not come is ``HeadgateClientError/streamTruncated(_:)``.
    ///
    /// - Parameters:
    ///   - position: of ``CompletionStream/AsyncIterator/position``.
    ///   - route: of the request.
    ///   - choices: how many were asked for.
    /// - Throws: when iterated: ``HeadgateClientError/status(_:)`` with status 404 when the server does not have the
    ///   stream (any more), 410 when it does not have all of its rest, 400 for a position that is not one of it.
    public func resume(
        _ position: StreamPosition, route: ChatRoute = .chatCompletions, choices: Int = 1
    ) -> CompletionStream<ChatCompletionChunk> {
        let api = api
        return stream(on: route, choices: choices, at: position) { try await rest(api, position) }
    }

    /// Stops a response that goes on without its reader.
    ///
    /// - Throws: ``HeadgateClientError``; ``HeadgateClientError/status(_:)`` with status 404 when there is none.
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

    /// A whole response.
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
    /// A whole response, as a value of a type.
    ///
    /// - Parameters:
    ///   - request: its own format is replaced.
    ///   - schema: what the model is told; derived from the type unless it is given.
    /// - Throws: ``HeadgateClientError``; ``HeadgateClientError/refused(_:)`` where the model declines,
    ///   ``HeadgateClientError/answerCut(_:)`` where the answer is not whole, and
    ///   ``HeadgateClientError/decoding(_:)`` where it is another value.
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
