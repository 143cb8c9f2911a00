/// Writes requests for a response that the provider does not store.
enum ResponsesRequestWriter: RequestWriter {
    static func write(
        _ request: ModelRequest, for target: TargetTraits, _ losses: inout Losses
    ) throws(TranslationError) -> WrittenRequest {
        var draft = ResponsesRequestDraft(request, for: target, losses)
        try draft.write(model: target.model ?? request.model)
        losses = draft.losses
        return WrittenRequest(body: draft.body, toolNames: draft.toolNames.changed)
    }
}

/// State while a request is written in this format.
struct ResponsesRequestDraft {
    /// The provider's maximum length of tool names and call ids.
    private static let longestName = 64

    let request: ModelRequest
    let target: TargetTraits
    var losses: Losses
    var body = JSONObject()
    var input: [JSONValue] = []
    var calls: ResponsesCalls
    var reasoningCount = 0
    var toolNames = ToolNames(maximumLength: Self.longestName)

    init(_ request: ModelRequest, for target: TargetTraits, _ losses: Losses) {
        self.request = request
        self.target = target
        self.losses = losses
        calls = ResponsesCalls(of: request.messages, longestID: Self.longestName)
    }

    mutating func write(model: String) throws(TranslationError) {
        body["model"] = .string(model)
        // The current tools are named first, so that they keep their names from one request to the next.
        for tool in request.tools { _ = toolNames.name(for: tool.name) }
        try addInput()
        addTools()
        if let tokens = request.maximumTokens { body["max_output_tokens"] = .integer(max(tokens, Self.fewestTokens)) }
        addText()
        addReasoning()
        try addSettings()
        if !request.stopSequences.isEmpty { losses.drop(.stopSequences) }
        body["store"] = false
        if request.isStream { body["stream"] = true }
    }

    /// Smallest token limit that the provider accepts.
    private static let fewestTokens = 16

    private mutating func addText() {
        var text = JSONObject()
        switch request.format {
        case nil, .text?: break
        case .json?: text["format"] = ["type": "json_object"]
        case .schema(let schema, let name, let description, let isStrict)?:
            var names = RestrictedNames(substitute: "response", maximumLength: Self.longestName)
            var format: JSONObject = ["type": "json_schema", "name": .string(names.next(for: name ?? ""))]
            if let description { format["description"] = .string(description) }
            format["schema"] = schema
            if let isStrict { format["strict"] = .bool(isStrict) }
            text["format"] = .object(format)
        }
        if let verbosity = request.settings[.verbosity] { text["verbosity"] = verbosity }
        if !text.members.isEmpty { body["text"] = .object(text) }
    }

    private mutating func addReasoning() {
        guard let wish = request.reasoning else { return }
        let effort = wish.effort ?? wish.budget.map(ReasoningWish.Effort.init(budget:))
        var reasoning = JSONObject()
        if let effort { reasoning["effort"] = .string(effort.rawValue) }
        if wish.isShown == true { reasoning["summary"] = "auto" }
        guard !reasoning.members.isEmpty else { return }
        body["reasoning"] = .object(reasoning)
        // Reasoning that the client can return with the next request.
        if effort != ReasoningWish.Effort.none { body["include"] = ["reasoning.encrypted_content"] }
    }

    private mutating func addSettings() throws(TranslationError) {
        for feature in Feature.allCases {
            guard let value = request.settings[feature] else { continue }
            switch feature {
            case .choices: throw losses.refusal(of: feature, by: .responses)
            case .verbosity: break
            // The neutral format has no log probabilities, and the provider stores nothing.
            case .topLogprobs: losses.drop(feature)
            case .store: if value != false { losses.drop(feature) }
            // The provider rejects longer names of users.
            case .user where (value.string?.utf8.count ?? 0) > Self.longestName: losses.drop(feature)
            case .serviceTier where value == "standard_only": body["service_tier"] = "default"
            case _ where feature.exists(in: .responses): body[feature.name(in: .responses)] = value
            default: losses.drop(feature)
            }
        }
    }
}

extension ReasoningWish.Effort {
    /// - Parameter budget: Number of tokens that the client allows for the reasoning.
    init(budget: Int) {
        self =
            switch budget {
            case 4096...: .high
            case 2048...: .medium
            case 1024...: .low
            default: .minimal
            }
    }
}
