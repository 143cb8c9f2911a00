/// The `finish_reason` of chat completions.
enum ChatFinish {
    /// - Parameters:
    ///   - reason: as the upstream wrote it; imitators of OpenAI have words of their own.
    ///   - hasCalls: whether the response calls tools, which some do with `stop`, and others do not with `tool_calls`.
    static func end(_ reason: String, hasCalls: Bool) -> ResponseEnd {
        switch reason {
        case "length", "max_tokens", "model_length": .length
        case "content_filter", "refusal", "safety": .refused
        default: hasCalls ? .toolCalls : .stop
        }
    }

    /// The end of a response that came in several choices: the one that says the most.
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
        // What is there is not all there would be.
        case .length, .paused: "length"
        case .toolCalls: context.knowsFunctionCalls ? "function_call" : "tool_calls"
        case .refused: "content_filter"
        }
    }
}
