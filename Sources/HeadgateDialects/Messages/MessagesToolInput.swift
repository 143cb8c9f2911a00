import JSONBytes

/// The arguments of calls, which the format has as JSON objects.
enum MessagesToolInput {
    /// The member that holds the free text of a call of a custom tool.
    static let freeText = "input"

    static let schema: JSONValue = [
        "type": "object", "properties": .object([freeText: ["type": "string"]]), "required": [.string(freeText)],
    ]

    /// What stands around the free text, where it comes in fragments.
    static let textStart = "{\"\(freeText)\":\""
    static let textEnd = "\"}"

    /// A fragment of the free text as it stands between them.
    static func escaped(_ fragment: String) -> String {
        String(decoding: JSONEscaping.literal(fragment).dropFirst().dropLast(), as: UTF8.self)
    }

    /// Nil for what is no JSON object, though the tool is a function.
    static func parsed(_ call: ToolCall) -> JSONValue? {
        if call.isCustom { return .object([freeText: .string(call.arguments)]) }
        return call.object.map(JSONValue.object)
    }
}
