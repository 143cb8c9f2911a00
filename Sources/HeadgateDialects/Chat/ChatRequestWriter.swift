/// Writes chat completion requests for OpenAI and for upstreams that imitate its API.
struct ChatRequestWriter: RequestWriter {
    let target: TargetTraits
    var losses: Losses
    var body = JSONObject()
    var toolNames = ToolNames(maximumLength: Self.longestName)
    /// The messages so far.
    var messages: [JSONValue] = []
    /// Whether the upstream gets its reasoning back. Upstreams that want it want it once tools are called.
    var givesReasoning = false
    /// Calls of the last message that have no result yet, by the client's ids.
    var unanswered: [String] = []
    /// Attachments of results, which follow after all results of a round.
    var attachments: [Part] = []
    /// Replacements for ids that are too long for OpenAI.
    var shortIDs: [String: String] = [:]

    static func write(
        _ request: ModelRequest, for target: TargetTraits, _ losses: inout Losses
    ) throws(TranslationError) -> WrittenRequest {
        var writer = ChatRequestWriter(target: target, losses: losses)
        try writer.write(request)
        losses = writer.losses
        return WrittenRequest(body: writer.body, toolNames: writer.toolNames.changed)
    }

    /// Whether the upstream is OpenAI itself, which supports features that its imitators lack.
    var isOpenAI: Bool { target.isOpenAIsOwn }

    private mutating func write(_ request: ModelRequest) throws(TranslationError) {
        body["model"] = .string(target.model ?? request.model)
        // The names of the current tools come first, so that they are the ones that stay unchanged.
        for tool in request.tools { _ = toolNames.name(for: tool.name) }
        givesReasoning = request.callCount > 0
        try writeMessages(request.messages)
        body["messages"] = .array(messages)
        writeTools(request)
        writeLimits(request)
        writeFormat(request.format)
        writeReasoning(request.reasoning)
        writeSettings(request.settings)
        if request.isStream {
            body["stream"] = true
            body["stream_options"] = ["include_usage": true]
        }
    }

    /// Maximum length of the names of tools and schemas that OpenAI accepts, in characters.
    static let longestName = 64
}
