internal import HeadgateContract
internal import HeadgateDialects
internal import HeadgateRelay

/// The four kinds of Ollama requests to a model.
enum OllamaQuestion: Sendable {
    case chat
    case generate
    case embed
    case embeddings

    /// Returns nil for an operation of another API.
    init?(_ operation: RelayOperation) {
        switch operation.id {
        case OperationTable.ollamaChat.id: self = .chat
        case OperationTable.ollamaGenerate.id: self = .generate
        case OperationTable.ollamaEmbed.id: self = .embed
        case OperationTable.ollamaEmbeddings.id: self = .embeddings
        default: return nil
        }
    }

    /// Name of the member that holds the input.
    var member: StaticString {
        switch self {
        case .chat: "messages"
        case .generate, .embeddings: "prompt"
        case .embed: "input"
        }
    }

    /// Whether the response is a stream by default.
    var isStream: Bool {
        switch self {
        case .chat, .generate: true
        case .embed, .embeddings: false
        }
    }

    /// Returns the response to a request without input.
    ///
    /// - Parameters:
    ///   - model: the client's name for the model.
    ///   - time: the current time in the format of RFC 3339.
    ///   - unloads: whether the request unloads the model.
    func emptyAnswer(model: String, at time: String, unloads: Bool) -> JSONValue {
        let end: JSONValue = unloads ? "unload" : "load"
        switch self {
        case .chat:
            return [
                "model": .string(model), "created_at": .string(time),
                "message": ["role": "assistant", "content": ""], "done": true, "done_reason": end,
            ]
        case .generate:
            return [
                "model": .string(model), "created_at": .string(time), "response": "", "done": true,
                "done_reason": end,
            ]
        case .embed: return ["model": .string(model), "embeddings": [], "total_duration": 0, "load_duration": 0]
        case .embeddings: return ["embedding": []]
        }
    }
}
