/// Summary of the response, in a whole response and in the last line of a stream.
struct OllamaEnd {
    var end: ResponseEnd
    var usage: TokenUsage
    /// Arrival of the first content in nanoseconds since 1970; nil if it is unknown.
    var firstContentAt: Int64?

    /// Appends the summary. Counts that the upstream does not report are left out.
    func append(to object: inout JSONObject, _ clock: ResponseClock) {
        let endedAt = clock.now()
        let total = max(endedAt - clock.startedAt, 1)
        let untilContent = min(max((firstContentAt ?? clock.startedAt) - clock.startedAt, 0), total - 1)
        object.append("done", true)
        object.append("done_reason", .string(OllamaEnd.reason(end)))
        object.append("total_duration", .number("\(total)"))
        object.append("load_duration", 0)
        if let input = usage.input { object.append("prompt_eval_count", .integer(input)) }
        object.append("prompt_eval_duration", .number("\(untilContent)"))
        if let output = usage.output { object.append("eval_count", .integer(output)) }
        // Never 0, because clients divide by it.
        object.append("eval_duration", .number("\(total - untilContent)"))
    }

    static func reason(_ end: ResponseEnd) -> String {
        switch end {
        // Ollama reports `stop` for calls too.
        case .stop, .stopSequence, .toolCalls: "stop"
        // The response is incomplete.
        case .length, .paused: "length"
        case .refused: "content_filter"
        }
    }
}

/// Members at the beginning of every response and of every line of a stream.
enum OllamaHead {
    static func object(_ context: ResponseContext) -> JSONObject {
        var time: [UInt8] = []
        context.clock.write(context.clock.now(), &time)
        return ["model": .string(context.model), "created_at": .string(String(decoding: time, as: UTF8.self))]
    }
}

enum OllamaCall {
    /// Returns an element of `tool_calls`.
    ///
    /// - Parameter index: Number of the call in the response, from 0.
    static func document(_ call: ToolCall, index: Int, _ context: ResponseContext) -> JSONValue {
        // Arguments that are not an object, because they were cut, reach the client in a member that no tool accepts.
        let arguments = MessagesToolInput.parsed(call) ?? ["invalid_arguments": .string(call.arguments)]
        return [
            "id": .string(call.id),
            "function": [
                "index": .integer(index), "name": .string(context.toolName(call.name)), "arguments": arguments,
            ],
        ]
    }
}
