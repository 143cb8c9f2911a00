extension ChatRequestReader {
    mutating func readMessages(_ messages: [JSONValue]) throws(TranslationError) {
        for (index, message) in messages.enumerated() {
            let path = "messages[\(index)]"
            try readMessage(message.requireObject(path), at: path)
        }
    }

    private mutating func readMessage(_ message: JSONObject, at path: String) throws(TranslationError) {
        switch try message.requireString("role", in: path) {
        case "system": try readWords(message, as: .system, at: path)
        case "developer": try readWords(message, as: .developer, at: path)
        case "user": try readWords(message, as: .user, at: path)
        case "assistant": try readAssistant(message, at: path)
        case "tool":
            let id = try message.requireString("tool_call_id", in: path)
            try readResult(message, of: id, at: path, ["tool_call_id"])
        case "function":
            let name = try message.requireString("name", in: path)
            try readResult(message, of: takeLegacyCall(name), at: path, ["name"])
        default:
            throw TranslationError(
                "'\(path).role' must be 'system', 'developer', 'user', 'assistant' or 'tool'.", member: "\(path).role")
        }
    }

    private mutating func readWords(
        _ message: JSONObject, as role: Message.Role, at path: String
    ) throws(TranslationError) {
        dropUnknown(of: message, at: "messages[]", Self.words)
        var parts: [Part] = []
        if let content = message.present("content") {
            parts = try readContent(content, of: role, at: "\(path).content")
        }
        mark(&parts, message["cache_control"])
        request.messages.append(Message(role, parts))
    }

    private static let words: Set<String> = ["role", "content", "cache_control"]

    private mutating func readAssistant(_ message: JSONObject, at path: String) throws(TranslationError) {
        dropUnknown(of: message, at: "messages[]", Self.assistant)
        if message.present("audio") != nil { throw Self.noAudio("\(path).audio") }
        var parts = try readReasoning(message, at: path)
        if let content = message.present("content"), content != "" {
            parts += try readContent(content, of: .assistant, at: "\(path).content")
        }
        if let refusal = try message.string("refusal", in: path), !refusal.isEmpty {
            parts.append(Part(.refusal(refusal)))
        }
        if let calls = try message.present("tool_calls")?.requireArray("\(path).tool_calls") {
            for (index, call) in calls.enumerated() {
                parts.append(Part(.toolCall(try readCall(call, at: "\(path).tool_calls[\(index)]"))))
            }
        }
        if let call = try message.present("function_call")?.requireObject("\(path).function_call") {
            let name = try call.requireString("name", in: "\(path).function_call")
            let id = "call_function_\(request.messages.count)"
            legacyCalls.append((name, id))
            let arguments = try arguments(call["arguments"], at: "\(path).function_call.arguments")
            parts.append(Part(.toolCall(ToolCall(id: id, name: name, arguments: arguments))))
        }
        mark(&parts, message["cache_control"])
        request.messages.append(Message(.assistant, parts))
    }

    private static let assistant: Set<String> = [
        "role", "content", "refusal", "tool_calls", "function_call", "audio", "reasoning_content", "reasoning",
        "thinking_blocks", "cache_control",
    ]

    /// Reads the model's reasoning: blocks in Anthropic's format, as LiteLLM and this gateway return them, or plain
    /// text.
    private mutating func readReasoning(_ message: JSONObject, at path: String) throws(TranslationError) -> [Part] {
        if let blocks = try message.present("thinking_blocks")?.requireArray("\(path).thinking_blocks"),
            !blocks.isEmpty
        {
            var parts: [Part] = []
            for (index, block) in blocks.enumerated() {
                let path = "\(path).thinking_blocks[\(index)]"
                guard let reasoning = ChatReasoning.read(block) else {
                    throw TranslationError("'\(path)' is no block of thinking.", member: path)
                }
                parts.append(Part(.reasoning(reasoning)))
            }
            return parts
        }
        let text = message["reasoning_content"]?.string ?? message["reasoning"]?.string ?? ""
        return text.isEmpty ? [] : [Part(.reasoning(Reasoning(text)))]
    }

    private mutating func readResult(
        _ message: JSONObject, of id: String, at path: String, _ known: Set<String>
    ) throws(TranslationError) {
        dropUnknown(of: message, at: "messages[]", Self.words.union(known))
        var parts: [Part] = []
        if let content = message.present("content") {
            parts = try readContent(content, of: .tool, at: "\(path).content")
        }
        let result = ToolResult(callID: id, parts: parts, isCustom: customCalls.contains(id))
        var part = [Part(.toolResult(result))]
        mark(&part, message["cache_control"])
        if request.messages.last?.role == .tool {
            request.messages[request.messages.count - 1].parts += part
        } else {
            request.messages.append(Message(.tool, part))
        }
    }

    /// Returns the id of the function's oldest call without a result. If there is none, returns the name, which is not
    /// the id of any call.
    private mutating func takeLegacyCall(_ name: String) -> String {
        guard let index = legacyCalls.firstIndex(where: { $0.name == name }) else { return name }
        return legacyCalls.remove(at: index).id
    }

    /// Marks the message's last part for a cache marker on the whole message.
    private mutating func mark(_ parts: inout [Part], _ control: JSONValue?) {
        guard let control = control?.object, !parts.isEmpty else { return }
        parts[parts.count - 1].cacheMarker = CacheMarker(timeToLive: control["ttl"]?.string)
    }
}
