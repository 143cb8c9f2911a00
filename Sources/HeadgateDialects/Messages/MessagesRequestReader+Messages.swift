extension MessagesRequestReading {
    mutating func readSystem() throws(TranslationError) {
        guard let system = body.present("system") else { return }
        let parts = try instructions(system, at: "system")
        if !parts.isEmpty { request.messages.append(Message(.system, parts)) }
    }

    mutating func read(messages: [JSONValue]) throws(TranslationError) {
        for (index, message) in messages.enumerated() {
            let path = "messages[\(index)]"
            let object = try message.requireObject(path)
            let role = try object.requireString("role", in: path)
            guard let content = object.present("content") else {
                // A system message without content only sets options, in a beta of the API.
                guard role == "system" else { throw .missing("\(path).content") }
                losses.drop(member: "messages[]")
                continue
            }
            switch role {
            case "user": try readUser(content, at: "\(path).content")
            case "assistant":
                if let parts = try assistantParts(content, at: "\(path).content") {
                    request.messages.append(Message(.assistant, parts))
                }
            case "system":
                request.messages.append(Message(.system, try instructions(content, at: "\(path).content")))
            default:
                throw TranslationError(
                    "'\(path).role' is '\(role)': it must be 'user', 'assistant' or 'system'.", member: "\(path).role")
            }
            dropOthers(of: object, than: ["role", "content"], at: "messages[]")
        }
    }

    /// Reads a user turn. Results of tools become separate messages before the user's content.
    private mutating func readUser(_ content: JSONValue, at path: String) throws(TranslationError) {
        var results: [Part] = []
        var parts: [Part] = []
        for (block, type, path) in try blocks(content, at: path) {
            if type == "tool_result" {
                results.append(try toolResult(block, at: path))
            } else if let read = try userParts(block, type, at: path) {
                parts += read
            } else if !dropServerTool(type) {
                throw refusal(of: type, in: "turns of the user", at: path)
            }
        }
        if !results.isEmpty { request.messages.append(Message(.tool, results)) }
        if !parts.isEmpty || results.isEmpty { request.messages.append(Message(.user, parts)) }
    }

    /// - Returns: Nil if the turn contains only the compaction of the turns before it.
    private mutating func assistantParts(_ content: JSONValue, at path: String) throws(TranslationError) -> [Part]? {
        var parts: [Part] = []
        var isCompacted = false
        for (block, type, path) in try blocks(content, at: path) {
            switch type {
            case "text": parts.append(try text(block, at: path))
            case "thinking":
                let signature = try block.string("signature", in: path) ?? ""
                let seal = signature.isEmpty ? nil : ReasoningSeal(written: signature, by: .messages)
                let text = try block.string("thinking", in: path) ?? ""
                parts.append(Part(.reasoning(Reasoning(text, seal: seal))))
                dropOthers(of: block, than: ["type", "thinking", "signature"], at: "messages[].content[]")
            case "redacted_thinking":
                let data = try block.requireString("data", in: path)
                let seal = ReasoningSeal(written: data, by: .messages, isRedacted: true)
                parts.append(Part(.reasoning(Reasoning("", seal: seal))))
                dropOthers(of: block, than: ["type", "data"], at: "messages[].content[]")
            case "tool_use": parts.append(try toolCall(block, at: path))
            case "compaction":
                try readCompaction(block, at: path)
                isCompacted = true
                parts = []
            default:
                guard dropServerTool(type) else { throw refusal(of: type, in: "turns of the assistant", at: path) }
            }
        }
        return isCompacted && parts.isEmpty ? nil : parts
    }

    /// Replaces all turns up to a compaction with its summary.
    private mutating func readCompaction(_ block: JSONObject, at path: String) throws(TranslationError) {
        guard
            let summary = Compaction.text(sealedIn: block["encrypted_content"], content: block["content"])
        else { throw refusal(of: "compaction", in: "turns of the assistant", at: path) }
        request.messages.removeAll { $0.role != .system }
        let marker = cacheMarker(block["cache_control"])
        request.messages.append(Message(.user, [Part(.text(summary), cacheMarker: marker)]))
    }

    private mutating func toolCall(_ block: JSONObject, at path: String) throws(TranslationError) -> Part {
        let id = try block.requireString("id", in: path)
        let name = try block.requireString("name", in: path)
        let arguments = try arguments(block.present("input"), at: "\(path).input")
        var known: Set = ["type", "id", "name", "input", "cache_control"]
        // A direct call is one by the model itself, and not by code that the provider runs for it.
        if block["caller"]?["type"] == "direct" { known.insert("caller") }
        dropOthers(of: block, than: known, at: "messages[].content[]")
        return Part(
            .toolCall(ToolCall(id: id, name: name, arguments: arguments)),
            cacheMarker: cacheMarker(block["cache_control"]))
    }

    /// - Parameter input: An object, or the model's own text if a client could not parse it.
    private func arguments(_ input: JSONValue?, at path: String) throws(TranslationError) -> String {
        if let text = input?.string { return ToolCall.given(text) }
        return JSONValue.object(try input?.requireObject(path) ?? [:]).text
    }

    private mutating func toolResult(_ block: JSONObject, at path: String) throws(TranslationError) -> Part {
        let id = try block.requireString("tool_use_id", in: path)
        var parts: [Part] = []
        if let content = block.present("content") {
            for (inner, type, path) in try blocks(content, at: "\(path).content") {
                if let read = try userParts(inner, type, at: path) {
                    parts += read
                } else if type == "tool_reference" {
                    parts.append(try toolReference(inner, at: path))
                } else if type == "browser_state" {
                    losses.drop(member: "messages[].content[].content[].\(type)")
                } else {
                    throw refusal(of: type, in: "results of tools", at: path)
                }
            }
        }
        let isError = try block.present("is_error")?.requireBool("\(path).is_error") ?? false
        dropOthers(
            of: block, than: ["type", "tool_use_id", "content", "is_error", "cache_control"],
            at: "messages[].content[]")
        return Part(
            .toolResult(ToolResult(callID: id, parts: parts, isError: isError)),
            cacheMarker: cacheMarker(block["cache_control"]))
    }

    /// Reads a reference to a tool that a search found, by its name. The tool itself is among the request's tools.
    private mutating func toolReference(_ block: JSONObject, at path: String) throws(TranslationError) -> Part {
        dropOthers(of: block, than: ["type", "tool_name", "cache_control"], at: "messages[].content[].content[]")
        return Part(
            .text(try block.requireString("tool_name", in: path)), cacheMarker: cacheMarker(block["cache_control"]))
    }

    private mutating func instructions(_ content: JSONValue, at path: String) throws(TranslationError) -> [Part] {
        var parts: [Part] = []
        for (block, type, path) in try blocks(content, at: path) {
            guard type == "text" else { throw refusal(of: type, in: "instructions", at: path) }
            parts.append(try text(block, at: path))
        }
        return parts
    }

    /// Drops blocks of the provider's own tools, which mean nothing to another provider.
    private mutating func dropServerTool(_ type: String) -> Bool {
        let isOfServer = ["server_tool_use", "mcp_tool_use", "mcp_tool_listing", "fallback"].contains(type)
        guard isOfServer || type.hasSuffix("_tool_result") else { return false }
        losses.drop(member: "messages[].content[].\(type)")
        return true
    }
}
