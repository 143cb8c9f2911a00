/// The reason why a model stopped.
public struct FinishReason: RawRepresentable, Hashable, Sendable, Codable {
    /// The model finished, or reached a stop sequence.
    public static let stop = FinishReason(rawValue: "stop")
    /// The response reached the token limit.
    public static let length = FinishReason(rawValue: "length")
    /// The model waits for the results of tool calls.
    public static let toolCalls = FinishReason(rawValue: "tool_calls")
    /// The provider's filter stopped the response.
    public static let contentFilter = FinishReason(rawValue: "content_filter")

    /// The value in requests and responses.
    public let rawValue: String

    /// Creates a reason from any value, because vendors have further ones.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Values for an incomplete response: those of the protocol, and those that gateways forward from other servers.
    /// The values for a complete response are not limited.
    private static let cuts: Set<String> = [
        "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded", "incomplete",
        "content_filter", "content_filtered", "safety", "recitation", "blocklist", "prohibited_content", "spii",
        "guardrail_intervened", "refusal", "malformed_function_call", "insufficient_system_resource", "abort",
        "aborted", "cancelled", "error", "failed",
    ]

    /// Whether the model was stopped before its reply, including tool calls, was complete.
    public var isCut: Bool { FinishReason.cuts.contains(rawValue.lowercased()) }
}

extension KeyedDecodingContainer<MemberName> {
    /// Returns the reason for the end of a choice; nil if there is none, which some servers write as an empty string.
    func finishReason() throws -> FinishReason? {
        let reason = try decodeIfPresent(FinishReason.self, forKey: "finish_reason")
        return reason?.rawValue.isEmpty == true ? nil : reason
    }
}
