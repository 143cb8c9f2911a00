enum MessagesResponseWriter: ResponseWriter {
    static func write(_ response: ModelResponse, _ context: ResponseContext) -> JSONObject {
        var content = response.contents.compactMap { block($0, context) }
        if content.isEmpty { content = [textBlock("")] }
        var hasCalls = false
        var hasRefusal = false
        for content in response.contents {
            switch content {
            case .toolCall: hasCalls = true
            case .refusal: hasRefusal = true
            default: break
            }
        }
        var message = message(context, content: content, usage: response.usage ?? TokenUsage())
        message["stop_reason"] = .string(
            MessagesStopReason.written(response.end, hasCalls: hasCalls, hasRefusal: hasRefusal))
        if context.compaction != nil { message["stop_reason"] = "compaction" }
        message["stop_sequence"] = MessagesStopReason.sequence(response.end)
        return message
    }

    /// Returns the message without its end, with which a stream begins.
    static func message(_ context: ResponseContext, content: [JSONValue], usage: TokenUsage) -> JSONObject {
        [
            "id": .string("msg_\(context.id)"), "type": "message", "role": "assistant", "model": .string(context.model),
            "content": .array(content), "stop_reason": .null, "stop_sequence": .null,
            "usage": MessagesUsage.written(usage),
        ]
    }

    /// Returns a block with a summary. Its delta in a stream has the same members.
    static func compaction(_ summary: String) -> JSONObject {
        ["type": "compaction", "content": .string(summary), "encrypted_content": .string(Compaction.mark)]
    }

    private static func textBlock(_ text: String) -> JSONValue { ["type": "text", "text": .string(text)] }

    /// Returns the block for a content; nil if the content is empty or not allowed in a response.
    private static func block(_ content: Content, _ context: ResponseContext) -> JSONValue? {
        switch content {
        case .text(let text), .refusal(let text):
            guard !text.isEmpty else { return nil }
            guard context.compaction == nil else { return .object(compaction(text)) }
            return textBlock(text)
        case .reasoning(let reasoning):
            let seal = reasoning.seal?.written(for: .messages) ?? ReasoningSeal.missing
            if reasoning.seal?.isRedacted == true { return ["type": "redacted_thinking", "data": .string(seal)] }
            return ["type": "thinking", "thinking": .string(reasoning.text), "signature": .string(seal)]
        case .toolCall(let call):
            // Arguments that are not an object, because they were cut, reach the client in a member that no tool
            // accepts.
            let input = MessagesToolInput.parsed(call) ?? ["invalid_arguments": .string(call.arguments)]
            return [
                "type": "tool_use", "id": .string(call.id), "name": .string(context.toolName(call.name)),
                "input": input,
            ]
        case .image, .document, .toolResult: return nil
        }
    }
}
