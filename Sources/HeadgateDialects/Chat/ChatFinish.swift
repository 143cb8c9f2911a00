/// The `finish_reason` of chat completions.
enum ChatFinish {
    /// Returns the end that a finish reason means.
    ///
    /// - Parameters:
    ///   - reason: The upstream's word. Imitators of OpenAI use other words.
    ///   - hasCalls: Whether the response calls tools. Some upstreams do so with `stop`, and others end with
    ///     `tool_calls` without calls.
    static func end(_ reason: String, hasCalls: Bool) -> ResponseEnd {
        switch reason {
        case "length", "max_tokens", "model_length": .length
        case "content_filter", "refusal", "safety": .refused
        default: hasCalls ? .toolCalls : .stop
        }
    }

    /// Returns the more informative of two ends of a response that came in several choices.
    static func merged(_ one: ResponseEnd, _ other: ResponseEnd) -> ResponseEnd {
        rank(one) < rank(other) ? other : one
    }

    private static func rank(_ end: ResponseEnd) -> Int {
        switch end {
        case .stop, .stopSequence: 0
        case .toolCalls: 1
        case .length, .paused: 2
        case .refused: 3
        }
    }

    static func reason(_ end: ResponseEnd, _ context: ResponseContext) -> String {
        switch end {
        case .stop, .stopSequence: "stop"
        // The response is incomplete.
        case .length, .paused: "length"
        case .toolCalls: context.knowsFunctionCalls ? "function_call" : "tool_calls"
        case .refused: "content_filter"
        }
    }
}
