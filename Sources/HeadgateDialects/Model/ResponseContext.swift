/// A request in the upstream's format, with the context for translating its response back.
package struct TranslatedRequest: Sendable {
    package var body: [UInt8]
    /// Members of the client's request that were left out.
    package var dropped: [String]
    package var context: ResponseContext
}

/// The facts of a request that decide how its response is written.
package struct ResponseContext: Equatable, Sendable {
    /// Part of the ids of the response and its items: letters, digits and `_`.
    package var id = ""
    /// Creation time in seconds since 1970.
    package var created = 0
    /// Clock for the times in Ollama's responses.
    package var clock = ResponseClock()
    /// Name of the model for the client.
    package var model = ""
    /// Upstream that produces the response.
    package var provider = ""
    /// Whether a stream of chat completions ends with its usage.
    package var asksUsage = true
    /// The client's tool names by the upstream's, if they differ.
    package var toolNames: [String: String] = [:]
    /// The client's names of tools with free-text input, which the upstream may see as functions.
    package var customTools: Set<String> = []
    /// Whether the client uses the older form of chat completions, in which a response has at most one call, its
    /// `function_call`.
    package var knowsFunctionCalls = false
    /// Members of the request that a response of the Responses API repeats.
    package var echo = JSONObject()
    /// Id of the response that this one continues.
    package var previousResponseID: String?
    /// Id of the conversation that the response belongs to.
    package var conversationID: String?
    /// Whether the response is stored.
    package var isKept = false
    /// Set if the response is a summary, which the client receives as a compaction.
    var compaction: CompactionForm?

    package init() {}

    /// Returns the client's name for a tool of the upstream.
    func toolName(_ name: String) -> String { toolNames[name] ?? name }
}

/// Form in which a client receives the summary that replaces a conversation.
package enum CompactionForm: Equatable, Sendable {
    /// The only item or block of a response.
    case response
    /// The document of `POST /v1/responses/compact`.
    case document
}
