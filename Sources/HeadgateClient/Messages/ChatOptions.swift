/// Options of a response. The provider chooses the value of each nil property.
public struct ChatOptions: Hashable, Sendable {
    /// Sampling temperature, from 0.
    public var temperature: Double?
    /// Cumulative probability of the most likely tokens that are considered, from 0 to 1.
    public var topP: Double?
    /// Maximum length of the response in tokens.
    public var maximumResponseTokens: Int?
    /// Sequences that end the response.
    public var stop: [String]
    /// Seed for repeatable responses, if the provider supports it.
    public var seed: Int?
    /// Number of choices; nil for one.
    public var choiceCount: Int?
    /// Whether the model can, must or must not call tools. Sent only with tools.
    public var toolChoice: ToolChoice?
    /// Whether the model can request several calls at once. Sent only with tools.
    public var allowsParallelToolCalls: Bool?
    /// Format of the response's text.
    public var responseFormat: ResponseFormat?
    /// Name of the member for ``maximumResponseTokens`` in a chat completion.
    public var tokenLimitMember: TokenLimitMember
    /// Further members of the request, such as vendor-specific ones. They take precedence over the properties above.
    public var additional: [String: JSONValue]

    /// Creates options, each of which can be omitted.
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

    /// Members of a legacy completion's body, which supports neither tools nor response formats.
    var legacyMembers: [String: JSONValue] { sampling(limit: "max_tokens").merging(additional) { _, mine in mine } }

    /// Returns the members of a chat completion's body.
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

    /// Number of choices that a stream must finish.
    var expectedChoices: Int {
        if case .integer(let count)? = additional["n"] { return max(1, count) }
        return max(1, choiceCount ?? 1)
    }
}
