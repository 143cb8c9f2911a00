/// Reads requests to Ollama's `/api/chat`.
struct OllamaChatReader: RequestReader {
    private var reading: OllamaRequestReading
    private var calls = OllamaCalls()

    static func read(_ body: JSONObject, _ losses: inout Losses) throws(TranslationError) -> ModelRequest {
        var reader = OllamaChatReader(reading: OllamaRequestReading(losses))
        try reader.read(body)
        losses = reader.reading.losses
        return reader.reading.request
    }

    private mutating func read(_ body: JSONObject) throws(TranslationError) {
        for member in body.members where !member.value.isNull {
            switch member.name {
            case "messages": try readMessages(member.value.requireArray("messages"))
            case "tools": try readTools(member.value.requireArray("tools"))
            default:
                if try !reading.read(member.name, member.value) { reading.losses.drop(member: member.name) }
            }
        }
    }

    // MARK: Messages

    private mutating func readMessages(_ messages: [JSONValue]) throws(TranslationError) {
        calls.reserve(messages)
        for (index, message) in messages.enumerated() {
            let path = "messages[\(index)]"
            try readMessage(message.requireObject(path), at: path)
        }
    }

    private mutating func readMessage(_ message: JSONObject, at path: String) throws(TranslationError) {
        switch try message.requireString("role", in: path) {
        case "system": try append(message, as: .system, at: path)
        case "user": try append(message, as: .user, at: path)
        case "assistant": try append(message, as: .assistant, at: path)
        case "tool": try appendResult(message, at: path)
        default:
            throw TranslationError(
                "'\(path).role' must be 'system', 'user', 'assistant' or 'tool'.", member: "\(path).role")
        }
    }

    private mutating func append(
        _ message: JSONObject, as role: Message.Role, at path: String
    ) throws(TranslationError) {
        var known: Set = ["role", "content", "images"]
        var parts: [Part] = []
        if role == .assistant {
            known.formUnion(["thinking", "tool_calls"])
            let thinking = try message.string("thinking", in: path) ?? ""
            if !thinking.isEmpty { parts.append(Part(.reasoning(Reasoning(thinking)))) }
        }
        reading.dropOthers(of: message, than: known, at: "messages[]")
        let contents = try contents(of: message, at: path)
        let hasImages = contents.contains { if case .image = $0.content { true } else { false } }
        guard role == .user || !hasImages else {
            throw TranslationError(
                "The upstream of this model takes images in messages of the roles 'user' and 'tool' only.",
                member: "\(path).images")
        }
        parts += contents
        if role == .assistant, let calls = try message.present("tool_calls")?.requireArray("\(path).tool_calls") {
            for (index, call) in calls.enumerated() {
                parts.append(Part(.toolCall(try readCall(call, at: "\(path).tool_calls[\(index)]"))))
            }
        }
        reading.request.messages.append(Message(role, parts))
    }

    private func contents(of message: JSONObject, at path: String) throws(TranslationError) -> [Part] {
        var parts: [Part] = []
        let text = try message.string("content", in: path) ?? ""
        if !text.isEmpty { parts.append(Part(.text(text))) }
        if let images = message.present("images") { parts += try reading.images(images, at: "\(path).images") }
        return parts
    }

    private mutating func appendResult(_ message: JSONObject, at path: String) throws(TranslationError) {
        reading.dropOthers(
            of: message, than: ["role", "content", "images", "tool_name", "tool_call_id", "name"], at: "messages[]")
        var name = try message.string("tool_name", in: path)
        if name == nil { name = try message.string("name", in: path) }
        let id = calls.answer(try message.string("tool_call_id", in: path), name: name)
        let result = Part(.toolResult(ToolResult(callID: id, parts: try contents(of: message, at: path))))
        if reading.request.messages.last?.role == .tool {
            reading.request.messages[reading.request.messages.count - 1].parts.append(result)
        } else {
            reading.request.messages.append(Message(.tool, [result]))
        }
    }

    // MARK: Tools

    private mutating func readCall(_ value: JSONValue, at path: String) throws(TranslationError) -> ToolCall {
        let call = try value.requireObject(path)
        reading.dropOthers(of: call, than: ["id", "type", "function"], at: "messages[].tool_calls[]")
        guard let function = try call.present("function")?.requireObject("\(path).function") else {
            throw .missing("\(path).function")
        }
        // Ollama numbers the calls of one message.
        reading.dropOthers(
            of: function, than: ["index", "name", "arguments"], at: "messages[].tool_calls[].function")
        let name = try function.requireString("name", in: "\(path).function")
        let arguments = try arguments(function["arguments"], at: "\(path).function.arguments")
        return ToolCall(
            id: calls.ask(try call.string("id", in: path), name: name), name: name, arguments: arguments)
    }

    /// - Parameter value: An object. Clients of other APIs send a text, which holds an object unless the model erred.
    private func arguments(_ value: JSONValue?, at path: String) throws(TranslationError) -> String {
        switch value {
        case nil, .null?: return ToolCall.noArguments
        case .object?: return value?.text ?? ToolCall.noArguments
        case .string(let text)?: return ToolCall.given(text)
        default: throw .wrongKind(path, "an object")
        }
    }

    private mutating func readTools(_ tools: [JSONValue]) throws(TranslationError) {
        for (index, tool) in tools.enumerated() {
            let path = "tools[\(index)]"
            let object = try tool.requireObject(path)
            if let type = try object.string("type", in: path), type != "function" {
                reading.losses.drop(member: "tools[].\(type)")
                continue
            }
            reading.dropOthers(of: object, than: ["type", "function"], at: "tools[]")
            guard let function = try object.present("function")?.requireObject("\(path).function") else {
                throw .missing("\(path).function")
            }
            reading.request.tools.append(.function(try readFunction(function, at: "\(path).function")))
        }
    }

    private mutating func readFunction(
        _ function: JSONObject, at path: String
    ) throws(TranslationError) -> Tool.Function {
        reading.dropOthers(of: function, than: ["name", "description", "parameters"], at: "tools[].function")
        return Tool.Function(
            name: try function.requireString("name", in: path),
            description: try function.string("description", in: path),
            parameters: try function.present("parameters")?.requireObject("\(path).parameters")
                .asSchemaOfObject)
    }
}

extension JSONObject {
    /// The object with `type` set to `object`, which clients may leave out of a function's parameters.
    fileprivate var asSchemaOfObject: JSONValue {
        guard present("type") == nil else { return .object(self) }
        var schema = self
        schema["type"] = "object"
        return .object(schema)
    }
}
