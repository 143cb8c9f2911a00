/// What a request cost, in tokens.
public struct TokenUsage: Hashable, Sendable, Codable {
    /// Read by the model.
    public var promptTokens: Int
    /// Written by the model; nothing for embeddings.
    public var completionTokens: Int
    /// Both.
    public var totalTokens: Int

    /// Counts of one request.
    public init(promptTokens: Int, completionTokens: Int, totalTokens: Int? = nil) {
        self.promptTokens = promptTokens
        self.completionTokens = completionTokens
        self.totalTokens = totalTokens ?? promptTokens.addingCapped(completionTokens)
    }

    /// Reads counts of which some may be missing.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            promptTokens: try members.decodeIfPresent(Int.self, forKey: .promptTokens) ?? 0,
            completionTokens: try members.decodeIfPresent(Int.self, forKey: .completionTokens) ?? 0,
            totalTokens: try members.decodeIfPresent(Int.self, forKey: .totalTokens))
    }

    private enum CodingKeys: String, CodingKey {
        case promptTokens = "prompt_tokens"
        case completionTokens = "completion_tokens"
        case totalTokens = "total_tokens"
    }

    /// The sum, for the rounds of one response.
    public static func + (left: TokenUsage, right: TokenUsage) -> TokenUsage {
        TokenUsage(
            promptTokens: left.promptTokens.addingCapped(right.promptTokens),
            completionTokens: left.completionTokens.addingCapped(right.completionTokens),
            totalTokens: left.totalTokens.addingCapped(right.totalTokens))
    }
}

extension Int {
    /// A server may count anything.
    fileprivate func addingCapped(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other > 0 ? .max : .min) : sum
    }
}
