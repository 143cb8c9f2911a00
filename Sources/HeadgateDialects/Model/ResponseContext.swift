/// A request in the upstream's format, and what its response needs to become one of the client's.
package struct TranslatedRequest: Sendable {
    package var body: [UInt8]
    /// Members of the client's request that are not in it.
    package var dropped: [String]
    package var context: ResponseContext
}

/// The facts of a request that decide how its response is written.
package struct ResponseContext: Equatable, Sendable {
    /// A part of the ids that the response and its items get; letters, digits and `_`.
    package var id = ""
    /// Seconds since 1970.
    package var created = 0
    /// Clock for the times in Ollama's responses.
    package var clock = ResponseClock()
    /// The model's name for the client.
    package var model = ""
    /// The upstream that makes it.
    package var provider = ""
    /// Whether a stream of chat completions ends with its usage.
    package var asksUsage = true
    /// The client's names of tools by the upstream's, if they differ.
    package var toolNames: [String: String] = [:]
    /// The client's names of tools that take free text, which the upstream may know as functions.
    package var customTools: Set<String> = []
    /// Whether the client knows the older form of chat completions, in which a response has one call at most:
    /// `function_call`.
    package var knowsFunctionCalls = false
    /// Members of the request that a response of the Responses API repeats.
    package var echo = JSONObject()
    /// The response that it continues.
    package var previousResponseID: String?
    /// The conversation that it is part of.
    package var conversationID: String?
    /// Whether it is stored.
    package var isKept = false
    /// Set if the response is a summary, which the client receives as a compaction.
    var compaction: CompactionForm?

    package init() {}

    /// The client's name for a tool of the upstream.
    func toolName(_ name: String) -> String { toolNames[name] ?? name }
}

/// Form in which a client receives the summary that replaces a conversation.
package enum CompactionForm: Equatable, Sendable {
    /// The only item or block of a response.
    case response
    /// The document of `POST /v1/responses/compact`.
    case document
}
