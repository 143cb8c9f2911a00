/// Whether the model may, must or must not call tools.
public enum ToolChoice: Hashable, Sendable {
    /// As it likes.
    case automatic
    /// It must not. Not called `none`, which for an optional choice would be that there is no choice.
    case never
    /// It calls at least one. In a session this is asked of the first round of a response alone.
    case required
    /// It calls this one. In a session this is asked of the first round of a response alone.
    case tool(String)

    /// In the form of chat completions.
    var chatForm: JSONValue {
        switch self {
        case .automatic: "auto"
        case .never: "none"
        case .required: "required"
        case .tool(let name): ["type": "function", "function": ["name": .string(name)]]
        }
    }

    /// In Anthropic's form.
    var messagesForm: [String: JSONValue] {
        switch self {
        case .automatic: ["type": "auto"]
        case .never: ["type": "none"]
        case .required: ["type": "any"]
        case .tool(let name): ["type": "tool", "name": .string(name)]
        }
    }

    /// In the form of Responses.
    var responsesForm: JSONValue {
        switch self {
        case .tool(let name): ["type": "function", "name": .string(name)]
        default: chatForm
        }
    }

    /// Whether a model that is asked again would never come to an end.
    var demandsACall: Bool {
        switch self {
        case .required, .tool: true
        case .automatic, .never: false
        }
    }
}
