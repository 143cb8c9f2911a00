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
    /// Further members of the request, such as those of one vendor. They win over the ones above.
    public var additional: [String: JSONValue]

    /// Options of which each may be left out.
    public init(
        temperature: Double? = nil, topP: Double? = nil, maximumResponseTokens: Int? = nil, stop: [String] = [],
        seed: Int? = nil, choiceCount: Int? = nil, additional: [String: JSONValue] = [:]
    ) {
        self.temperature = temperature
        self.topP = topP
        self.maximumResponseTokens = maximumResponseTokens
        self.stop = stop
        self.seed = seed
        self.choiceCount = choiceCount
        self.additional = additional
    }

    /// Members of a request's body.
    var members: [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        members["temperature"] = temperature.map(JSONValue.number)
        members["top_p"] = topP.map(JSONValue.number)
        members["max_tokens"] = maximumResponseTokens.map(JSONValue.integer)
        members["stop"] = stop.isEmpty ? nil : .array(stop.map(JSONValue.string))
        members["seed"] = seed.map(JSONValue.integer)
        members["n"] = choiceCount.map(JSONValue.integer)
        return members.merging(additional) { _, mine in mine }
    }

    /// How many choices a stream has to finish.
    var expectedChoices: Int {
        if case .integer(let count)? = additional["n"] { return max(1, count) }
        return max(1, choiceCount ?? 1)
    }
}
