/// The form of the text that a model is to answer with.
public enum ResponseFormat: Hashable, Sendable {
    /// Any text.
    case text
    /// Some JSON object. Anthropic's form has no word for it.
    case jsonObject
    /// JSON of this schema.
    case jsonSchema(JSONSchema)

    /// In the form of chat completions.
    var chatForm: JSONValue {
        switch self {
        case .text: ["type": "text"]
        case .jsonObject: ["type": "json_object"]
        case .jsonSchema(let schema): ["type": "json_schema", "json_schema": .object(schema.members)]
        }
    }

    /// In Anthropic's form.
    var messagesForm: JSONValue? {
        guard case .jsonSchema(let schema) = self else { return nil }
        return ["type": "json_schema", "schema": schema.schema]
    }

    /// The format as Responses has it, with the schema's members beside the type.
    var responsesForm: JSONValue {
        guard case .jsonSchema(let schema) = self else { return chatForm }
        return .object(schema.members.merging(["type": "json_schema"]) { _, type in type })
    }
}
