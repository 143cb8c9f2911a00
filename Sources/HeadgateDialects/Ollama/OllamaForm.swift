/// Where a response has its content, which differs between `/api/chat` and `/api/generate`.
protocol OllamaForm {
    /// - Parameter calls: Elements of `tool_calls`.
    static func append(text: String, thinking: String, calls: [JSONValue], to object: inout JSONObject)
}

/// Content in a message.
enum OllamaChatForm: OllamaForm {
    static func append(text: String, thinking: String, calls: [JSONValue], to object: inout JSONObject) {
        var message: JSONObject = ["role": "assistant", "content": .string(text)]
        if !thinking.isEmpty { message.append("thinking", .string(thinking)) }
        if !calls.isEmpty { message.append("tool_calls", .array(calls)) }
        object.append("message", .object(message))
    }
}

/// Content in members of the response itself. Requests of this form have no tools.
enum OllamaGenerateForm: OllamaForm {
    static func append(text: String, thinking: String, calls: [JSONValue], to object: inout JSONObject) {
        object.append("response", .string(text))
        if !thinking.isEmpty { object.append("thinking", .string(thinking)) }
    }
}

extension JSONObject {
    /// Appends a member. The object must not have one with that name.
    mutating func append(_ name: String, _ value: JSONValue) { members.append(Member(name: name, value: value)) }
}
