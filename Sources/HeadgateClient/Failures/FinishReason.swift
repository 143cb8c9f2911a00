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

    /// Words of servers for a response of which something is missing: of the protocol, and of others whose words
    /// gateways pass on. Those for a whole one have no end.
    private static let cuts: Set<String> = [
        "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded", "incomplete",
        "content_filter", "content_filtered", "safety", "recitation", "blocklist", "prohibited_content", "spii",
        "guardrail_intervened", "refusal", "malformed_function_call", "insufficient_system_resource", "abort",
        "aborted", "cancelled", "error", "failed",
    ]

    /// Whether the model was stopped before it had said all it wanted, calls of tools included.
    public var isCut: Bool { FinishReason.cuts.contains(rawValue.lowercased()) }
}

extension KeyedDecodingContainer<MemberName> {
    /// Why a choice ended. Some servers send an empty reason if there is none.
    func finishReason() throws -> FinishReason? {
        let reason = try decodeIfPresent(FinishReason.self, forKey: "finish_reason")
        return reason?.rawValue.isEmpty == true ? nil : reason
    }
}
