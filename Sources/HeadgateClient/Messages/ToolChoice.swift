/// Whether the model can, must or must not call tools.
public enum ToolChoice: Hashable, Sendable {
    /// The model decides.
    case automatic
    /// The model must not call a tool. The name `none` would be ambiguous for an optional choice.
    case never
    /// The model must call at least one tool. A session sends this only in the first round of a response.
    case required
    /// The model must call this tool. A session sends this only in the first round of a response.
    case tool(String)

    /// The choice for chat completions.
    var chatForm: JSONValue {
        switch self {
        case .automatic: "auto"
        case .never: "none"
        case .required: "required"
        case .tool(let name): ["type": "function", "function": ["name": .string(name)]]
        }
    }

    /// The choice for Anthropic's API.
    var messagesForm: [String: JSONValue] {
        switch self {
        case .automatic: ["type": "auto"]
        case .never: ["type": "none"]
        case .required: ["type": "any"]
        case .tool(let name): ["type": "tool", "name": .string(name)]
        }
    }

    /// The choice for the Responses API.
    var responsesForm: JSONValue {
        switch self {
        case .tool(let name): ["type": "function", "name": .string(name)]
        default: chatForm
        }
    }

    /// Whether the choice demands a call. If it were sent in each round, the response would never end.
    var demandsACall: Bool {
        switch self {
        case .required, .tool: true
        case .automatic, .never: false
        }
    }
}
