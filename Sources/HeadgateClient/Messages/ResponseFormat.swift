/// Format of a response's text.
public enum ResponseFormat: Hashable, Sendable {
    /// Any text.
    case text
    /// Any JSON object. Anthropic's API cannot express it.
    case jsonObject
    /// JSON that conforms to a schema.
    case jsonSchema(JSONSchema)

    /// The format for chat completions.
    var chatForm: JSONValue {
        switch self {
        case .text: ["type": "text"]
        case .jsonObject: ["type": "json_object"]
        case .jsonSchema(let schema): ["type": "json_schema", "json_schema": .object(schema.members)]
        }
    }

    /// The format for Anthropic's API; nil if it cannot be expressed.
    var messagesForm: JSONValue? {
        guard case .jsonSchema(let schema) = self else { return nil }
        return ["type": "json_schema", "schema": schema.schema]
    }

    /// The format for the Responses API, with the schema's members next to the type.
    var responsesForm: JSONValue {
        guard case .jsonSchema(let schema) = self else { return chatForm }
        return .object(schema.members.merging(["type": "json_schema"]) { _, type in type })
    }
}
