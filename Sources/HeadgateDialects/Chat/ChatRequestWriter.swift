/// Writes requests for chat completions, for OpenAI itself and for what speaks like it.
struct ChatRequestWriter: RequestWriter {
    let target: TargetTraits
    var losses: Losses
    var body = JSONObject()
    var toolNames = ToolNames(maximumLength: Self.longestName)
    /// The messages so far.
    var messages: [JSONValue] = []
    /// Whether the upstream gets its reasoning back: those that want it want it once tools are called.
    var givesReasoning = false
    /// Calls of the last message that have no result yet, by the ids that the client gave them.
    var unanswered: [String] = []
    /// Attachments of results, which follow after all results.
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

    /// Whether the upstream is OpenAI itself, and has what its imitators lack.
    var isOpenAI: Bool { target.isOpenAIsOwn }

    private mutating func write(_ request: ModelRequest) throws(TranslationError) {
        body["model"] = .string(target.model ?? request.model)
        // The names of the tools that there are come first, so that these are the ones that stay as they are.
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

    /// Characters that OpenAI takes in names of tools and of schemas.
    static let longestName = 64
}
