extension ResponsesRequestReader {
    mutating func readInput(_ input: JSONValue) throws(TranslationError) {
        if let text = input.string { return conversation.add(Message(.user, [Part(.text(text))])) }
        guard let items = input.array else { throw .wrongKind("input", "a string or an array of items") }
        for (index, item) in items.enumerated() {
            let path = "input[\(index)]"
            // A stored history contains earlier triggers. Only one at the end asks for a compaction.
            if request.compaction != nil {
                request.compaction = nil
                losses.drop(member: "input[].compaction_trigger")
            }
            try readItem(item.requireObject(path), at: path)
        }
    }

    private mutating func readItem(_ item: JSONObject, at path: String) throws(TranslationError) {
        switch try type(of: item, at: path) {
        case "message": try readMessage(item, at: path)
        case "function_call": try readCall(item, at: path, isCustom: false)
        case "custom_tool_call": try readCall(item, at: path, isCustom: true)
        case "function_call_output": try readResult(item, at: path, isCustom: false)
        case "custom_tool_call_output": try readResult(item, at: path, isCustom: true)
        case "reasoning": try readReasoningItem(item, at: path)
        case "additional_tools": try readTools((item["tools"] ?? []).requireArray("\(path).tools"), at: "\(path).tools")
        case "compaction", "compaction_summary":
            guard let summary = Compaction.text(sealedIn: item["encrypted_content"]) else {
                throw .historyElsewhere("\(path).type", item["type"]?.string, in: .responses)
            }
            conversation.add(Message(.user, [Part(.text(summary))]))
        case "item_reference":
            throw TranslationError(
                "'\(path)' refers to an item that is not kept for this model: send the item itself.", member: path)
        case "compaction_trigger":
            request.compaction = CompactionWish(
                refusal: .historyElsewhere("\(path).type", "compaction_trigger", in: .responses))
        case let type where Self.historyItems.contains(type):
            throw .historyElsewhere("\(path).type", type, in: .responses)
        case let type where Self.foreignItems.contains(type): losses.drop(member: "input[].\(type)")
        default:
            throw TranslationError(
                "'\(path).type' names a kind of item that the upstream of this model does not take: leave the item "
                    + "out.",
                member: "\(path).type")
        }
    }

    /// Items of tools that OpenAI runs, and of its internal state.
    private static let foreignItems: Set<String> = [
        "apply_patch_call", "apply_patch_call_output", "code_interpreter_call", "computer_call", "computer_call_output",
        "configuration_update", "file_search_call",
        "image_generation_call", "local_shell_call", "local_shell_call_output", "mcp_approval_request",
        "mcp_approval_response", "mcp_call", "mcp_list_tools", "program", "program_output", "shell_call",
        "shell_call_output", "tool_search_call", "tool_search_output", "web_search_call",
    ]

    /// Items that represent a part of the conversation that only the provider can read.
    private static let historyItems: Set<String> = [
        "agent_message", "multi_agent_call", "multi_agent_call_output",
    ]

    private func type(of item: JSONObject, at path: String) throws(TranslationError) -> String {
        if let type = try item.string("type", in: path) { return type }
        if item.present("role") != nil { return "message" }
        if item.present("id") != nil { return "item_reference" }
        throw .missing("\(path).type")
    }

    private mutating func readMessage(_ item: JSONObject, at path: String) throws(TranslationError) {
        dropUnknown(of: item, at: "input[]", ["type", "role", "content", "id", "status"])
        guard let role = Self.roles[try item.requireString("role", in: path)] else {
            throw TranslationError(
                "'\(path).role' must be 'user', 'assistant', 'system' or 'developer'.", member: "\(path).role")
        }
        guard let content = item.present("content") else { throw .missing("\(path).content") }
        conversation.add(Message(role, try parts(content, of: role, at: "\(path).content", named: "input[].content[]")))
    }

    private static let roles: [String: Message.Role] = [
        "user": .user, "assistant": .assistant, "system": .system, "developer": .developer,
    ]

    private mutating func readCall(_ item: JSONObject, at path: String, isCustom: Bool) throws(TranslationError) {
        let member = isCustom ? "input" : "arguments"
        dropUnknown(
            of: item, at: "input[]", ["type", "id", "call_id", "status", "name", "namespace", "caller", member])
        noteCaller(item)
        let name = try item.requireString("name", in: path)
        let call = ToolCall(
            id: try item.requireString("call_id", in: path),
            name: names.flatName(of: name, in: try item.string("namespace", in: path)),
            arguments: isCustom
                ? try item.requireString(member, in: path)
                : ToolCall.given(try item.string(member, in: path) ?? ""),
            isCustom: isCustom)
        conversation.add(Message(.assistant, [Part(.toolCall(call))]))
    }

    private mutating func readResult(_ item: JSONObject, at path: String, isCustom: Bool) throws(TranslationError) {
        let known: Set<String> = ["type", "id", "call_id", "status", "output", "name", "namespace", "caller"]
        dropUnknown(of: item, at: "input[]", known)
        noteCaller(item)
        guard let output = item.present("output") else { throw .missing("\(path).output") }
        let result = ToolResult(
            callID: try item.requireString("call_id", in: path),
            parts: try parts(output, of: .tool, at: "\(path).output", named: "input[].output[]"), isCustom: isCustom)
        conversation.add(Message(.tool, [Part(.toolResult(result))]))
    }

    /// Records the loss of the caller of a call, which can be a program that the provider runs.
    private mutating func noteCaller(_ item: JSONObject) {
        if let caller = item.present("caller"), caller["type"] != "direct" { losses.drop(member: "input[].caller") }
    }

    private mutating func readReasoningItem(_ item: JSONObject, at path: String) throws(TranslationError) {
        dropUnknown(of: item, at: "input[]", ["type", "id", "status", "summary", "content", "encrypted_content"])
        var text = try texts(item, "summary", at: path)
        // The full reasoning is used only if there is no summary.
        if text.isEmpty { text = try texts(item, "content", at: path) }
        let seal = try item.string("encrypted_content", in: path).map { ReasoningSeal(written: $0, by: .responses) }
        guard !text.isEmpty || seal != nil else { return }
        conversation.add(Message(.assistant, [Part(.reasoning(Reasoning(text, seal: seal)))]))
    }

    private func texts(_ item: JSONObject, _ member: String, at path: String) throws(TranslationError) -> String {
        let path = "\(path).\(member)"
        var texts: [String] = []
        for (index, part) in try (item.present(member) ?? []).requireArray(path).enumerated() {
            texts.append(try part.requireObject("\(path)[\(index)]").requireString("text", in: "\(path)[\(index)]"))
        }
        return texts.joined(separator: ResponsesItem.paragraph)
    }
}
