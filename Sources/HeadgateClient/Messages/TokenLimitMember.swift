/// Name of the member with the maximum number of tokens. Newer OpenAI models reject the older name, and other servers
/// do not support the newer one.
public enum TokenLimitMember: Hashable, Sendable {
    /// Chosen by the model's name. If the server rejects `max_tokens`, the request is sent again with the other name.
    case automatic
    /// `max_tokens`.
    case maxTokens
    /// `max_completion_tokens`.
    case maxCompletionTokens

    func name(for model: String) -> String {
        switch self {
        case .maxTokens: "max_tokens"
        case .maxCompletionTokens: "max_completion_tokens"
        case .automatic: TokenLimitMember.isNewer(model) ? "max_completion_tokens" : "max_tokens"
        }
    }

    /// Returns whether a model is one of OpenAI's since o1, such as `o3-mini` or `gpt-5.1`, with or without a vendor
    /// prefix.
    private static func isNewer(_ model: String) -> Bool {
        let name = (model.split(separator: "/").last ?? "").lowercased()
        if name.hasPrefix("gpt-") { return (Int(name.dropFirst(4).prefix { $0.isNumber }) ?? 0) >= 5 }
        guard name.hasPrefix("o") else { return false }
        let number = name.dropFirst().prefix { $0.isNumber }
        let rest = name.dropFirst(1 + number.count)
        return !number.isEmpty && (rest.isEmpty || rest.hasPrefix("-"))
    }
}
