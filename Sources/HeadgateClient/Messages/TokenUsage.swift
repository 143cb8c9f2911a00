/// Tokens used by a request.
public struct TokenUsage: Hashable, Sendable {
    /// Number of tokens in the prompt.
    public var promptTokens: Int
    /// Number of generated tokens; 0 for embeddings.
    public var completionTokens: Int
    /// Sum of both.
    public var totalTokens: Int
    /// Further counts, such as `prompt_tokens_details`.
    public var additional: [String: JSONValue]

    /// Creates the counts of one request.
    public init(
        promptTokens: Int, completionTokens: Int, totalTokens: Int? = nil, additional: [String: JSONValue] = [:]
    ) {
        self.promptTokens = promptTokens
        self.completionTokens = completionTokens
        self.totalTokens = totalTokens ?? promptTokens.addingCapped(completionTokens)
        self.additional = additional
    }

    /// Tokens of the prompt that the provider read from its cache; nil if it does not report them.
    public var cachedTokens: Int? { detail("prompt_tokens_details", "cached_tokens") }
    /// Generated tokens that were reasoning; nil if the provider does not report them.
    public var reasoningTokens: Int? { detail("completion_tokens_details", "reasoning_tokens") }

    private func detail(_ group: String, _ name: String) -> Int? {
        guard case .object(let details)? = additional[group], case .integer(let count)? = details[name] else {
            return nil
        }
        return count
    }

    /// Returns the sum, for the rounds of one response.
    public static func + (left: TokenUsage, right: TokenUsage) -> TokenUsage {
        TokenUsage(
            promptTokens: left.promptTokens.addingCapped(right.promptTokens),
            completionTokens: left.completionTokens.addingCapped(right.completionTokens),
            totalTokens: left.totalTokens.addingCapped(right.totalTokens),
            additional: left.additional.merging(right.additional) { $0.adding($1) })
    }
}

extension TokenUsage: Codable {
    private static let known: Set<String> = ["prompt_tokens", "completion_tokens", "total_tokens"]

    /// Reads counts, some of which can be missing.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        self.init(
            promptTokens: try members.decodeIfPresent(Int.self, forKey: "prompt_tokens") ?? 0,
            completionTokens: try members.decodeIfPresent(Int.self, forKey: "completion_tokens") ?? 0,
            totalTokens: try members.decodeIfPresent(Int.self, forKey: "total_tokens"),
            additional: members.additional(besides: Self.known))
    }

    /// Writes the counts in the API's format.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encodeAdditional(additional)
        try members.encode(promptTokens, forKey: "prompt_tokens")
        try members.encode(completionTokens, forKey: "completion_tokens")
        try members.encode(totalTokens, forKey: "total_tokens")
    }
}

extension JSONValue {
    /// Returns the sum of two counts, or of all counts in two groups, or else the later value.
    fileprivate func adding(_ later: JSONValue) -> JSONValue {
        switch (self, later) {
        case (.integer(let left), .integer(let right)): .integer(left.addingCapped(right))
        case (.object(let left), .object(let right)): .object(left.merging(right) { $0.adding($1) })
        case (_, .null): self
        default: later
        }
    }
}

extension Int {
    /// Returns a saturated sum, because a server can report any number.
    fileprivate func addingCapped(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other > 0 ? .max : .min) : sum
    }
}
