import JSONBytes

/// The arguments of calls, which are JSON objects in this format.
enum MessagesToolInput {
    /// Member that holds the free text of a call of a custom tool.
    static let freeText = "input"

    static let schema: JSONValue = [
        "type": "object", "properties": .object([freeText: ["type": "string"]]), "required": [.string(freeText)],
    ]

    /// JSON before a free text that arrives in fragments.
    static let textStart = "{\"\(freeText)\":\""
    static let textEnd = "\"}"

    /// Returns a fragment of the free text, escaped for use between ``textStart`` and ``textEnd``.
    static func escaped(_ fragment: String) -> String {
        String(decoding: JSONEscaping.literal(fragment).dropFirst().dropLast(), as: UTF8.self)
    }

    /// Returns the arguments of a call; nil if those of a function are not a JSON object.
    static func parsed(_ call: ToolCall) -> JSONValue? {
        if call.isCustom { return .object([freeText: .string(call.arguments)]) }
        return call.object.map(JSONValue.object)
    }
}
