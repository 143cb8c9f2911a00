/// What a whole response, and the last line of a stream, say of the response as a whole.
struct OllamaEnd {
    var end: ResponseEnd
    var usage: TokenUsage
    /// When the first content came; nil where that is not known. Nanoseconds since 1970.
    var firstContentAt: Int64?

    /// Appends all but the response itself. What an upstream does not tell is not there.
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
        // Clients divide by it.
        object.append("eval_duration", .number("\(total - untilContent)"))
    }

    static func reason(_ end: ResponseEnd) -> String {
        switch end {
        // Ollama says so of calls too.
        case .stop, .stopSequence, .toolCalls: "stop"
        // What is there is not all there would be.
        case .length, .paused: "length"
        case .refused: "content_filter"
        }
    }
}

/// What every response and every line of a stream begins with.
enum OllamaHead {
    static func object(_ context: ResponseContext) -> JSONObject {
        var time: [UInt8] = []
        context.clock.write(context.clock.now(), &time)
        return ["model": .string(context.model), "created_at": .string(String(decoding: time, as: UTF8.self))]
    }
}

enum OllamaCall {
    /// An element of `tool_calls`.
    ///
    /// - Parameter index: counts the response's calls, from 0.
    static func document(_ call: ToolCall, index: Int, _ context: ResponseContext) -> JSONValue {
        // What is no object, because it was cut, reaches the client as what no tool takes.
        let arguments = MessagesToolInput.parsed(call) ?? ["invalid_arguments": .string(call.arguments)]
        return [
            "id": .string(call.id),
            "function": [
                "index": .integer(index), "name": .string(context.toolName(call.name)), "arguments": arguments,
            ],
        ]
    }
}
