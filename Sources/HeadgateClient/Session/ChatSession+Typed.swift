extension ChatSession {
    /// Responds to a prompt with a value of a type. The model's text is in the transcript.
    ///
    /// ```swift
    /// struct Recipe: Decodable, Sendable { let title: String; let minutes: Int; let steps: [String] }
    /// let recipe = try await session.respond(to: "Something with leeks.", as: Recipe.self)
    /// ```
    ///
    /// - Parameter schema: the schema for the model; derived from the type by default (``JSONSchema``).
    /// - Throws: as ``ResponseStream`` does; ``HeadgateClientError/refused(_:)`` if the model declines,
    ///   ``HeadgateClientError/answerCut(_:)`` if the reply is cut, ``HeadgateClientError/decoding(_:)`` if it is
    ///   another value, and `CancellationError` after ``cancel()``.
    public func respond<Value: Decodable>(
        to prompt: MessageContent, as type: Value.Type, schema: JSONSchema? = nil
    ) async throws -> Value {
        let schema = try schema ?? JSONSchema(of: type)
        var response = ChatResponse()
        for try await snapshot in streamResponse(to: prompt, format: .jsonSchema(schema)) { response = snapshot }
        guard response.isComplete else { throw CancellationError() }
        return try TypedAnswer.value(
            type, in: response.roundText, refusal: response.refusal, finishReason: response.finishReason,
            isWrapped: schema.isWrapped)
    }

    /// Responds to a prompt with a value of a type.
    ///
    /// - Throws: as the same with a ``MessageContent`` does.
    public func respond<Value: Decodable>(
        to prompt: String, as type: Value.Type, schema: JSONSchema? = nil
    ) async throws -> Value { try await respond(to: .text(prompt), as: type, schema: schema) }
}
