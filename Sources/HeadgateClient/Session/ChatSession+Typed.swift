extension ChatSession {
    /// Responds to a prompt with a value of a type. The transcript contains the model's text.
    ///
    /// ```swift
    /// struct Recipe: Decodable, Sendable { let title: String; let minutes: Int; let steps: [String] }
    /// let recipe = try await session.respond(to: "Something with leeks.", as: Recipe.self)
    /// ```
    ///
    /// - Parameters:
    ///   - prompt: The prompt.
    ///   - type: Type of the value.
    ///   - schema: Schema for the model; derived from the type by default (``JSONSchema``).
    /// - Throws: The errors of ``ResponseStream``; ``HeadgateClientError/refused(_:)`` if the model declines,
    ///   ``HeadgateClientError/answerCut(_:)`` if the reply is cut, ``HeadgateClientError/decoding(_:)`` if the reply
    ///   is not a value of the type, and `CancellationError` after ``cancel()``.
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

    /// Responds to a text prompt with a value of a type.
    ///
    /// - Throws: The same errors as the variant with a ``MessageContent``.
    public func respond<Value: Decodable>(
        to prompt: String, as type: Value.Type, schema: JSONSchema? = nil
    ) async throws -> Value { try await respond(to: .text(prompt), as: type, schema: schema) }
}
