/// Why a model stopped.
public struct FinishReason: RawRepresentable, Hashable, Sendable, Codable {
    /// It was done, or reached a stop sequence.
    public static let stop = FinishReason(rawValue: "stop")
    /// It reached the limit of tokens.
    public static let length = FinishReason(rawValue: "length")
    /// It waits for the results of tools.
    public static let toolCalls = FinishReason(rawValue: "tool_calls")
    /// A filter of the provider stopped it.
    public static let contentFilter = FinishReason(rawValue: "content_filter")

    /// The word on the wire.
    public let rawValue: String

    /// Any word; vendors have further ones.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Words of servers for an answer that is whole: of the protocol, and of others whose words gateways pass on. With any other word
    /// something may be missing.
    private static let whole: Set<String> = [
        "stop", "tool_calls", "function_call", "tool_use", "end_turn", "stop_sequence", "eos", "eos_token",
    ]

    /// Whether the model had said all it wanted, calls of tools included.
    var isWhole: Bool { FinishReason.whole.contains(rawValue.lowercased()) }
}
