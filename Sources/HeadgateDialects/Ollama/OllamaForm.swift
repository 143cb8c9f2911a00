/// Difference between the responses of `/api/chat` and `/api/generate`: the position of the content.
protocol OllamaForm {
    /// - Parameter calls: elements of `tool_calls`.
    static func append(text: String, thinking: String, calls: [JSONValue], to object: inout JSONObject)
}

/// In a message.
enum OllamaChatForm: OllamaForm {
    static func append(text: String, thinking: String, calls: [JSONValue], to object: inout JSONObject) {
        var message: JSONObject = ["role": "assistant", "content": .string(text)]
        if !thinking.isEmpty { message.append("thinking", .string(thinking)) }
        if !calls.isEmpty { message.append("tool_calls", .array(calls)) }
        object.append("message", .object(message))
    }
}

/// Beside the rest. Requests have no tools.
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
