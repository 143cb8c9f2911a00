extension ChatRequestReader {
    /// Reads a call that a model made in an earlier turn.
    mutating func readCall(_ value: JSONValue, at path: String) throws(TranslationError) -> ToolCall {
        let call = try value.requireObject(path)
        // Clients that assemble a call from a stream leave its index in it.
        dropUnknown(of: call, at: "messages[].tool_calls[]", ["id", "type", "index", "function", "custom"])
        let id = try call.requireString("id", in: path)
        if let custom = try call.present("custom")?.requireObject("\(path).custom") {
            customCalls.insert(id)
            return ToolCall(
                id: id, name: try custom.requireString("name", in: "\(path).custom"),
                arguments: try custom.string("input", in: "\(path).custom") ?? "", isCustom: true)
        }
        guard let function = try call.present("function")?.requireObject("\(path).function") else {
            throw TranslationError("'\(path)' is no call of a function or of a custom tool.", member: path)
        }
        dropUnknown(of: function, at: "messages[].tool_calls[].function", ["name", "arguments"])
        return ToolCall(
            id: id, name: try function.requireString("name", in: "\(path).function"),
            arguments: try arguments(function["arguments"], at: "\(path).function.arguments"))
    }

    /// Returns the text of a call's arguments.
    ///
    /// - Parameter value: Any string, which holds a JSON object unless the model erred. Some clients send the object
    ///   itself, and nothing for an empty one.
    func arguments(_ value: JSONValue?, at path: String) throws(TranslationError) -> String {
        guard let value, !value.isNull else { return ToolCall.noArguments }
        if case .object = value { return value.text }
        return ToolCall.given(try value.requireString(path))
    }
}
