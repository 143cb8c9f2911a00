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
}
