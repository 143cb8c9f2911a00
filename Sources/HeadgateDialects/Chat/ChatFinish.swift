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
