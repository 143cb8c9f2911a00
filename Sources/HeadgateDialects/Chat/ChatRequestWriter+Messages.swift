extension ChatRequestWriter {
    mutating func writeMessages(_ messages: [Message]) throws(TranslationError) {
        let joins = target.joinsSystemMessages
        if joins { try writeInstructions(messages.filter(\.isInstruction)) }
        for message in Self.merged(joins ? messages.filter { !$0.isInstruction } : messages) {
            switch message.role {
            case .tool: try writeResults(message.parts)
            case .assistant:
                try closeRound()
                try writeAssistant(message.parts)
            case .system, .developer:
                try closeRound()
                try writeInstructions([message])
            case .user:
                try closeRound()
                try writeWords(message.parts, as: "user")
            }
        }
        try closeRound()
    }

    /// Merges the calls of one round into one message. Text of the model between a call and its result is added to it.
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

    /// Writes one message with the texts of all `messages`; writes none if they are empty.
    private mutating func writeInstructions(_ messages: [Message]) throws(TranslationError) {
        let parts = messages.flatMap(\.parts).filter { part in
            if case .text(let text) = part.content { !text.isBlank } else { true }
        }
        let isDevelopers = isOpenAI && messages.allSatisfy { $0.role == .developer }
        let texts = parts.compactMap { part in if case .text(let text) = part.content { text } else { nil } }
        guard !isOpenAI, texts.count == parts.count, parts.count > 1 else {
            return try writeWords(parts, as: isDevelopers ? "developer" : "system")
        }
        // Some chat templates cannot read text in parts.
        if parts.contains(where: { $0.cacheMarker != nil }) { losses.drop(.cacheMarkers) }
        try writeWords([Part(.text(texts.joined(separator: ResponsesItem.paragraph)))], as: "system")
    }

    private mutating func writeWords(_ parts: [Part], as role: String) throws(TranslationError) {
        guard !parts.isEmpty else { return }
        messages.append(["role": .string(role), "content": try content(parts)])
    }

    /// Returns a single text as a string, and anything else as an array of parts.
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
        // The default lifetime of one provider becomes that of the other.
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
        var thoughts = JSONObject()
        for part in parts {
            switch part.content {
            case .refusal(let text): refusal += text
            case .reasoning(let reasoning): if !add(reasoning, to: &thoughts) { losses.drop(.reasoningHistory) }
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
        message.members += thoughts.members
        messages.append(.object(message))
    }

    /// - Returns: False if the upstream did not produce the reasoning, or does not want it back.
    private func add(_ reasoning: Reasoning, to thoughts: inout JSONObject) -> Bool {
        guard givesReasoning, let seal = reasoning.seal, seal.isOf(target, .chat) else { return false }
        switch seal.kind {
        case .content, .plain:
            add(reasoning.text, as: seal.kind.rawValue, to: &thoughts)
            return true
        case .details:
            let start = seal.text.firstIndex(of: "[") ?? seal.text.endIndex
            guard let details = (try? JSONValue(Array(seal.text[start...].utf8)))?.array else { return false }
            let before = thoughts[seal.kind.rawValue]?.array ?? []
            thoughts[seal.kind.rawValue] = .array(before + details)
            if let member = ReasoningSeal.Kind(rawValue: String(seal.text[..<start])), member.isBound {
                add(reasoning.text, as: member.rawValue, to: &thoughts)
            }
            return true
        case .signed, .redacted, .unsigned, .call: return false
        }
    }

    private func add(_ text: String, as member: String, to thoughts: inout JSONObject) {
        guard !text.isEmpty else { return }
        thoughts[member] = .string((thoughts[member]?.string ?? "") + text)
    }

    private mutating func document(_ call: ToolCall) -> JSONValue {
        let id = shortID(call.id)
        let name = toolNames.name(for: call.name)
        let written =
            if !call.isCustom {
                ChatTools.call(id: id, name: name, arguments: call.text(target, &losses))
            } else if isOpenAI {
                ChatTools.customCall(id: id, name: name, input: call.arguments)
            } else {
                ChatTools.call(id: id, name: name, arguments: ChatTools.wrapped(call.arguments))
            }
        return ChatTools.adding(call.members, to: written)
    }
}

extension Part {
    fileprivate var isCall: Bool { if case .toolCall = content { true } else { false } }
}
