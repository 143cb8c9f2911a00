extension ResponsesRequestDraft {
    /// Writes the leading messages as instructions, and the others as items.
    mutating func addInput() throws(TranslationError) {
        var messages = request.messages[...]
        let leading = messages.prefix { $0.role == .system || $0.role == .developer }
        // The input must not be empty.
        if leading.count < messages.count {
            messages = messages.dropFirst(leading.count)
            let instructions = try self.instructions(leading)
            if !instructions.isEmpty { body["instructions"] = .string(instructions) }
        }
        for message in messages { try add(message) }
        body["input"] = .array(input)
    }

    private mutating func instructions(_ messages: ArraySlice<Message>) throws(TranslationError) -> String {
        var texts: [String] = []
        for part in messages.flatMap(\.parts) {
            guard case .text(let text) = part.content else { throw Self.onlyText() }
            if part.cacheMarker != nil { losses.drop(.cacheMarkers) }
            if !text.isEmpty { texts.append(text) }
        }
        return texts.joined(separator: ResponsesItem.paragraph)
    }

    private static func onlyText() -> TranslationError {
        TranslationError(
            "Instructions to the model can hold nothing but text: put the rest into a message of the user.")
    }

    private mutating func add(_ message: Message) throws(TranslationError) {
        switch message.role {
        case .assistant: try addAssistant(message.parts)
        case .system, .developer:
            for part in message.parts {
                guard case .text = part.content else { throw Self.onlyText() }
            }
            try add(message.parts.filter { $0.content != .text("") }, of: message.role)
        case .user, .tool: try add(message.parts, of: .user)
        }
    }

    /// Adds a message, and each result in it as a separate item.
    private mutating func add(_ parts: [Part], of role: Message.Role) throws(TranslationError) {
        var content: [JSONValue] = []
        for part in parts {
            if case .toolResult(let result) = part.content {
                addMessage(&content, of: role)
                try add(result, part.cacheMarker)
            } else if let written = try inputPart(part) {
                content.append(written)
            }
        }
        addMessage(&content, of: role)
    }

    private mutating func addMessage(_ content: inout [JSONValue], of role: Message.Role) {
        guard !content.isEmpty else { return }
        input.append(["type": "message", "role": .string(role.rawValue), "content": .array(content)])
        content = []
    }

    private mutating func add(_ result: ToolResult, _ marker: CacheMarker?) throws(TranslationError) {
        if marker != nil { losses.drop(.cacheMarkers) }
        var parts = result.parts
        if result.isError { parts.markAsError() }
        guard let call = calls.answer(result.callID) else {
            // The provider rejects results without a call, but their content is still useful to the model.
            return try add(parts, of: .user)
        }
        var content: [JSONValue] = []
        for part in parts {
            if let written = try inputPart(part) { content.append(written) }
        }
        addOutput(of: call, Self.output(parts, content))
    }

    /// Returns a single plain text as a string, which all providers accept.
    private static func output(_ parts: [Part], _ content: [JSONValue]) -> JSONValue {
        guard content.count <= 1, parts.allSatisfy({ $0.cacheMarker == nil }) else { return .array(content) }
        guard let part = content.first else { return "" }
        return part["type"] == "input_text" ? part["text"] ?? "" : .array(content)
    }

    private mutating func addOutput(of call: ResponsesCalls.Open, _ output: JSONValue) {
        input.append([
            "type": call.isCustom ? "custom_tool_call_output" : "function_call_output",
            "call_id": .string(call.written), "output": output,
        ])
    }

    private mutating func addAssistant(_ parts: [Part]) throws(TranslationError) {
        var content: [JSONValue] = []
        var unanswered: [ResponsesCalls.Open] = []
        for part in parts {
            if part.cacheMarker != nil { losses.drop(.cacheMarkers) }
            switch part.content {
            case .text(let text):
                if !text.isEmpty { content.append(["type": "output_text", "text": .string(text), "annotations": []]) }
            case .refusal(let text): content.append(["type": "refusal", "refusal": .string(text)])
            case .reasoning(let reasoning):
                addMessage(&content, of: .assistant)
                add(reasoning)
            case .toolCall(let call):
                addMessage(&content, of: .assistant)
                let (begun, isAnswered) = calls.begin(call)
                add(call, as: begun)
                if !isAnswered { unanswered.append(begun) }
            case .image: throw losses.refusal(of: .images, by: .responses)
            case .document(let source, _): throw losses.refusal(of: source.documentFeature, by: .responses)
            // Results do not belong to the assistant.
            case .toolResult: break
            }
        }
        addMessage(&content, of: .assistant)
        for call in unanswered { addOutput(of: call, "No result of this call was given.") }
    }

    private mutating func add(_ reasoning: Reasoning) {
        guard let seal = reasoning.seal, seal.isOf(target, .responses), !seal.kind.isBound else {
            return losses.drop(.reasoningHistory)
        }
        let summary: [JSONValue] =
            reasoning.text.isEmpty ? [] : [["type": "summary_text", "text": .string(reasoning.text)]]
        input.append([
            "type": "reasoning", "id": "rs_\(reasoningCount)", "summary": .array(summary),
            "encrypted_content": .string(seal.text),
        ])
        reasoningCount += 1
    }

    private mutating func add(_ call: ToolCall, as begun: ResponsesCalls.Open) {
        var item: JSONObject = [
            "type": call.isCustom ? "custom_tool_call" : "function_call", "call_id": .string(begun.written),
            "name": .string(toolNames.name(for: call.name)),
        ]
        if call.isCustom {
            item[ResponsesItem.freeText] = .string(call.arguments)
        } else {
            item["arguments"] = .string(call.text(target, &losses))
        }
        input.append(.object(item))
    }
}

extension [Part] {
    /// Marks the parts as those of an error.
    fileprivate mutating func markAsError() {
        let mark = "Error: "
        if let first, case .text(let text) = first.content {
            self[0].content = .text(mark + text)
        } else {
            insert(Part(.text(mark)), at: 0)
        }
    }
}
