extension ChatRequestWriter {
    mutating func writeMessages(_ messages: [Message]) throws(TranslationError) {
        for message in Self.merged(messages) {
            switch message.role {
            case .tool: try writeResults(message.parts)
            case .assistant:
                try closeRound()
                try writeAssistant(message.parts)
            case .system:
                try closeRound()
                try writeWords(message.parts, as: "system")
            case .developer:
                try closeRound()
                try writeWords(message.parts, as: isOpenAI ? "developer" : "system")
            case .user:
                try closeRound()
                try writeWords(message.parts, as: "user")
            }
        }
        try closeRound()
    }

    /// The calls of one round stand in one message: what a model says after a call, before its result, is added to it.
    private static func merged(_ messages: [Message]) -> [Message] {
        var merged: [Message] = []
        for message in messages {
            if message.role == .assistant, let last = merged.last, last.role == .assistant,
                last.parts.contains(where: \.isCall)
            {
                merged[merged.count - 1].parts += message.parts
            } else {
                merged.append(message)
            }
        }
        return merged
    }

    private mutating func writeWords(_ parts: [Part], as role: String) throws(TranslationError) {
        guard !parts.isEmpty else { return }
        messages.append(["role": .string(role), "content": try content(parts)])
    }

    /// One text as it is, everything else as parts.
    mutating func content(_ parts: [Part]) throws(TranslationError) -> JSONValue {
        var elements: [JSONValue] = []
        for part in parts {
            guard var element = try element(part.content) else { continue }
            if let marker = part.cacheMarker { mark(&element, marker) }
            elements.append(.object(element))
        }
        if elements.count == 1, elements[0].object?.members.count == 2, let text = elements[0]["text"] { return text }
        return elements.isEmpty ? "" : .array(elements)
    }

    private mutating func mark(_ element: inout JSONObject, _ marker: CacheMarker) {
        guard isOpenAI else { return losses.drop(.cacheMarkers) }
        var breakpoint: JSONObject = ["mode": "explicit"]
        switch marker.timeToLive {
        // The usual time of a provider stands for that of another.
        case nil, "5m"?: break
        case let time? where Self.cacheTimes.contains(time): breakpoint["ttl"] = .string(time)
        default: losses.drop(.cacheMarkers)
        }
        element["prompt_cache_breakpoint"] = .object(breakpoint)
    }

    private static let cacheTimes: Set<String> = ["30m", "12h"]

    private mutating func writeAssistant(_ parts: [Part]) throws(TranslationError) {
        var words: [Part] = []
        var refusal = ""
        var calls: [JSONValue] = []
        for part in parts {
            switch part.content {
            case .refusal(let text): refusal += text
            case .reasoning: losses.drop(.reasoningHistory)
            case .toolCall(let call):
                unanswered.append(call.id)
                calls.append(document(call))
                if part.cacheMarker != nil { losses.drop(.cacheMarkers) }
            case .text(let text): if !text.isEmpty { words.append(part) }
            case .image, .document, .toolResult: words.append(part)
            }
        }
        guard !words.isEmpty || !refusal.isEmpty || !calls.isEmpty else { return }
        var message = JSONObject()
        message["role"] = "assistant"
        message["content"] = words.isEmpty ? .null : try content(words)
        if !refusal.isEmpty { message["refusal"] = .string(refusal) }
        if !calls.isEmpty { message["tool_calls"] = .array(calls) }
        messages.append(.object(message))
    }

    private mutating func document(_ call: ToolCall) -> JSONValue {
        let id = shortID(call.id)
        let name = toolNames.name(for: call.name)
        guard call.isCustom else {
            return ChatTools.call(id: id, name: name, arguments: call.text(target, &losses))
        }
        return isOpenAI
            ? ChatTools.customCall(id: id, name: name, input: call.arguments)
            : ChatTools.call(id: id, name: name, arguments: ChatTools.wrapped(call.arguments))
    }
}

extension Part {
    fileprivate var isCall: Bool { if case .toolCall = content { true } else { false } }
}
