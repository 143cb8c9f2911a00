enum MessagesRequestWriter: RequestWriter {
    static func write(
        _ request: ModelRequest, for target: TargetTraits, _ losses: inout Losses
    ) throws(TranslationError) -> WrittenRequest {
        var draft = MessagesRequestDraft(request, for: target, losses)
        try draft.write()
        losses = draft.losses
        return WrittenRequest(body: draft.body, toolNames: draft.toolNames.changed)
    }
}

/// State while a request is written in this format.
struct MessagesRequestDraft {
    let request: ModelRequest
    let target: TargetTraits
    let model: String
    let claude: ClaudeTraits
    var losses: Losses
    var body = JSONObject()
    var markers: MessagesCacheMarkers
    var turns = MessagesTurns()
    var toolNames = ToolNames(maximumLength: 128)

    init(_ request: ModelRequest, for target: TargetTraits, _ losses: Losses) {
        self.request = request
        self.target = target
        self.losses = losses
        model = target.model ?? request.model
        claude = ClaudeTraits(model: model)
        markers = MessagesCacheMarkers(of: request)
    }

    mutating func write() throws(TranslationError) {
        let tools = try tools()
        let system = try system()
        try addTurns()
        let thinking = thinking()

        body["model"] = .string(model)
        body["max_tokens"] = .integer(maximumTokens(thinking))
        if request.isStream { body["stream"] = true }
        if !system.isEmpty { body["system"] = .array(system) }
        body["messages"] = .array(turns.written(endsWithUser: !claude.takesPrefill || thinking.isOn, &losses))
        addTools(tools, thinking)
        addOutput(thinking)
        addStopSequences()
        try addSettings(thinking)
    }

    private mutating func addStopSequences() {
        guard !request.stopSequences.isEmpty else { return }
        let sequences = request.stopSequences.filter { !$0.isBlank }
        if sequences.count < request.stopSequences.count { losses.drop(.stopSequences) }
        if !sequences.isEmpty { body["stop_sequences"] = .array(sequences.map(JSONValue.string)) }
    }
}

extension String {
    /// Whether the string is empty or only white space, which the format does not accept as text.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
