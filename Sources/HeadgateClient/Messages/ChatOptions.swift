/// How a model is to respond. What is nil is left to the model's provider.
public struct ChatOptions: Hashable, Sendable {
    /// Sampling temperature, from 0.
    public var temperature: Double?
    /// Considers only the likeliest words that together have this probability.
    public var topP: Double?
    /// The longest response, in tokens.
    public var maximumResponseTokens: Int?
    /// Texts at which the response ends.
    public var stop: [String]
    /// Makes responses repeatable where the provider supports it.
    public var seed: Int?
    /// How many choices are wanted; one when nil.
    public var choiceCount: Int?
    /// Whether the model may, must or must not call tools. Sent only with tools.
    public var toolChoice: ToolChoice?
    /// Whether the model may request several calls at once. Sent only with tools.
    public var allowsParallelToolCalls: Bool?
    /// The form of the text that it answers with.
    public var responseFormat: ResponseFormat?
    /// The name under which ``maximumResponseTokens`` is sent in a chat completion.
    public var tokenLimitMember: TokenLimitMember
    /// Further members of the request, such as those of one vendor. They win over the ones above.
    public var additional: [String: JSONValue]

    /// Options of which each may be left out.
    public init(
        temperature: Double? = nil, topP: Double? = nil, maximumResponseTokens: Int? = nil, stop: [String] = [],
        seed: Int? = nil, choiceCount: Int? = nil, toolChoice: ToolChoice? = nil,
        allowsParallelToolCalls: Bool? = nil, responseFormat: ResponseFormat? = nil,
        tokenLimitMember: TokenLimitMember = .automatic, additional: [String: JSONValue] = [:]
    ) {
        self.temperature = temperature
        self.topP = topP
        self.maximumResponseTokens = maximumResponseTokens
        self.stop = stop
        self.seed = seed
        self.choiceCount = choiceCount
        self.toolChoice = toolChoice
        self.allowsParallelToolCalls = allowsParallelToolCalls
        self.responseFormat = responseFormat
        self.tokenLimitMember = tokenLimitMember
        self.additional = additional
    }

    /// Members of the body of a legacy completion, which knows neither tools nor forms.
    var legacyMembers: [String: JSONValue] { sampling(limit: "max_tokens").merging(additional) { _, mine in mine } }

    /// Members of the body of a chat completion.
    func chatMembers(of model: String, hasTools: Bool) -> [String: JSONValue] {
        var members = sampling(limit: tokenLimitMember.name(for: model))
        members["response_format"] = responseFormat?.chatForm
        if hasTools {
            members["tool_choice"] = toolChoice?.chatForm
            members["parallel_tool_calls"] = allowsParallelToolCalls.map(JSONValue.bool)
        }
        return members.merging(additional) { _, mine in mine }
    }

    private func sampling(limit: String) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        members["temperature"] = temperature.map(JSONValue.number)
        members["top_p"] = topP.map(JSONValue.number)
        members[limit] = maximumResponseTokens.map(JSONValue.integer)
        members["stop"] = stop.isEmpty ? nil : .array(stop.map(JSONValue.string))
        members["seed"] = seed.map(JSONValue.integer)
        members["n"] = choiceCount.map(JSONValue.integer)
        return members
    }

    /// How many choices a stream has to finish.
    var expectedChoices: Int {
        if case .integer(let count)? = additional["n"] { return max(1, count) }
        return max(1, choiceCount ?? 1)
    }
}
