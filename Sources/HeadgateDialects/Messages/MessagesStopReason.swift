/// Why a response ended, in the words of the format.
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

    /// - Parameters:
    ///   - hasCalls: whether the response calls tools. Some servers report a plain stop for such a response, and a
    ///     client that is promised calls without receiving any waits forever.
    ///   - hasRefusal: whether the model refused in words.
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

    /// The member of the name, for any end.
    static func sequence(_ end: ResponseEnd) -> JSONValue {
        if case .stopSequence(let sequence?) = end { .string(sequence) } else { .null }
    }

    /// The provider's words for a refusal, which it does not give as content.
    static func explanation(_ details: JSONValue?) -> String? {
        guard let text = details?["explanation"]?.string, !text.isEmpty else { return nil }
        return text
    }
}
