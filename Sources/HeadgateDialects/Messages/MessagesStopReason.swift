/// Stop reasons of the format.
enum MessagesStopReason {
    static func end(_ reason: String?, sequence: String?) -> ResponseEnd {
        switch reason {
        case "stop_sequence"?: .stopSequence(sequence)
        case "max_tokens"?, "model_context_window_exceeded"?: .length
        case "tool_use"?: .toolCalls
        case "refusal"?: .refused
        case "pause_turn"?: .paused
        default: .stop
        }
    }

    /// Returns the stop reason of a response.
    ///
    /// - Parameters:
    ///   - hasCalls: Whether the response calls tools. Some servers report a plain stop for such a response. A client
    ///     that is promised calls and receives none waits forever.
    ///   - hasRefusal: Whether the model refused in words.
    static func written(_ end: ResponseEnd, hasCalls: Bool, hasRefusal: Bool) -> String {
        switch end {
        case .stop where hasCalls: "tool_use"
        case .stop where hasRefusal: "refusal"
        case .stop: "end_turn"
        case .stopSequence: "stop_sequence"
        case .length: "max_tokens"
        case .toolCalls: hasCalls ? "tool_use" : "end_turn"
        case .refused: "refusal"
        case .paused: "pause_turn"
        }
    }

    /// Returns the value of `stop_sequence` for any end.
    static func sequence(_ end: ResponseEnd) -> JSONValue {
        if case .stopSequence(let sequence?) = end { .string(sequence) } else { .null }
    }

    /// Returns the provider's explanation of a refusal, which is not part of the content.
    static func explanation(_ details: JSONValue?) -> String? {
        guard let text = details?["explanation"]?.string, !text.isEmpty else { return nil }
        return text
    }
}
