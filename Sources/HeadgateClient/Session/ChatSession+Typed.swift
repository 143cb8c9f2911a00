extension ChatSession {
    /// Responds to a prompt with a value of a type. The text that the model has written is in the transcript.
    ///
    /// ```swift
    /// struct Recipe: Decodable, Sendable { let title: String; let minutes: Int; let steps: [String] }
    /// let recipe = try await session.respond(to: "Something with leeks.", as: Recipe.self)
    /// ```
    ///
    /// - Parameter schema: what the model is told; derived from the type unless it is given (``JSONSchema``).
    /// - Throws: as ``ResponseStream`` does; ``HeadgateClientError/refused(_:)`` where the model declines,
    ///   ``HeadgateClientError/answerCut(_:)`` where the answer is not whole,
    ///   ``HeadgateClientError/decoding(_:)`` where it is another value, and `CancellationError` after ``cancel()``.
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
