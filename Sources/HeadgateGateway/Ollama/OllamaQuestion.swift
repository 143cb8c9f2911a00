internal import HeadgateContract
internal import HeadgateDialects

/// What the four kinds of Ollama's requests to a model ask for.
enum OllamaQuestion: Sendable {
    case chat
    case generate
    case embed
    case embeddings

    /// Nil for an operation of another API.
    init?(_ operation: RelayOperation) {
        switch operation.id {
        case OperationTable.ollamaChat.id: self = .chat
        case OperationTable.ollamaGenerate.id: self = .generate
        case OperationTable.ollamaEmbed.id: self = .embed
        case OperationTable.ollamaEmbeddings.id: self = .embeddings
        default: return nil
        }
    }

    /// The member that holds what is asked.
    var member: StaticString {
        switch self {
        case .chat: "messages"
        case .generate, .embeddings: "prompt"
        case .embed: "input"
        }
    }

    /// Whether the answer is a stream where the request does not say.
    var isStream: Bool {
        switch self {
        case .chat, .generate: true
        case .embed, .embeddings: false
        }
    }

    /// What is answered where nothing is asked.
    ///
    /// - Parameters:
    ///   - model: the client's name for it.
    ///   - time: as RFC 3339 has it.
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
