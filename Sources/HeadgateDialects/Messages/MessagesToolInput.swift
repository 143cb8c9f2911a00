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

    static func value(of call: ToolCall) throws(TranslationError) -> JSONValue {
        if let value = parsed(call) { return value }
        throw TranslationError(
            "The arguments of the call '\(call.id)' of '\(call.name)' are not a JSON object: send them as the model "
                + "wrote them, or '{}' if there are none.")
    }

    /// Nil for what is no JSON object, though the tool is a function.
    static func parsed(_ call: ToolCall) -> JSONValue? {
        if call.isCustom { return .object([freeText: .string(call.arguments)]) }
        if call.arguments.isBlank { return .object([:]) }
        guard let object = (try? JSONValue(Array(call.arguments.utf8)))?.object else { return nil }
        return .object(object)
    }
}
