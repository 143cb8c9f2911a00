extension MessagesRequestDraft {
    /// Returns the instructions from all positions, because only the newest models accept them between turns.
    mutating func system() throws(TranslationError) -> [JSONValue] {
        var blocks: [JSONValue] = []
        for message in request.messages where message.isInstruction {
            for part in message.parts {
                guard case .text(let text) = part.content else {
                    throw TranslationError(
                        "A message of the role '\(message.role.rawValue)' can hold nothing but text for this upstream: "
                            + "put the rest into a message of the user.")
                }
                if let block = textBlock(text, part.cacheMarker) { blocks.append(block) }
            }
        }
        if let instruction = formatInstruction { blocks.append(["type": "text", "text": .string(instruction)]) }
        return blocks
    }

    mutating func addTurns() throws(TranslationError) {
        for message in request.messages where !message.isInstruction {
            // A message without any parts left is still a turn.
            turns.begin(message.speaker)
            for part in message.parts { try add(part, of: message.speaker) }
        }
    }

    private mutating func add(_ part: Part, of speaker: MessagesTurns.Speaker) throws(TranslationError) {
        switch part.content {
        case .toolCall(let call): add(call, part.cacheMarker)
        case .toolResult(let result): try add(result, part.cacheMarker)
        case .reasoning(let reasoning):
            guard speaker == .assistant, let block = thinkingBlock(reasoning) else {
                return losses.drop(.reasoningHistory)
            }
            turns.add(block, by: speaker)
        case .image where speaker == .assistant: throw losses.refusal(of: .images, by: .messages)
        case .document(let source, _) where speaker == .assistant:
            throw losses.refusal(of: source.documentFeature, by: .messages)
        default:
            if let block = try block(part) { turns.add(block, by: speaker) }
        }
    }

    private mutating func add(_ call: ToolCall, _ marker: CacheMarker?) {
        let input = MessagesToolInput.parsed(call) ?? .object(call.mended(&losses))
        turns.begin(.assistant)
        var block: JSONObject = [
            "type": "tool_use", "id": .string(turns.beginCall(call.id)),
            "name": .string(toolNames.name(for: call.name)),
            "input": input,
        ]
        markers.put(marker, on: &block, &losses)
        turns.add(.object(block), by: .assistant)
    }

    private mutating func add(_ result: ToolResult, _ marker: CacheMarker?) throws(TranslationError) {
        turns.begin(.user)
        var contents: [JSONValue] = []
        for part in result.parts {
            if let block = try block(part) { contents.append(block) }
        }
        guard let id = turns.answerCall(result.callID) else {
            // The provider rejects results of calls that it does not see, but their content can still matter.
            for content in contents { turns.add(content, by: .user) }
            return
        }
        var block: JSONObject = ["type": "tool_result", "tool_use_id": .string(id)]
        if contents.count == 1, let text = contents[0]["text"], contents[0]["cache_control"] == nil {
            block["content"] = text
        } else if !contents.isEmpty {
            block["content"] = .array(contents)
        } else if result.isError {
            // The provider rejects an error without content.
            block["content"] = .string(MessagesTurns.placeholder)
        }
        if result.isError { block["is_error"] = true }
        markers.put(marker, on: &block, &losses)
        turns.add(result: .object(block))
    }
}

extension Message {
    var isInstruction: Bool { role == .system || role == .developer }
    fileprivate var speaker: MessagesTurns.Speaker { role == .assistant ? .assistant : .user }
}
