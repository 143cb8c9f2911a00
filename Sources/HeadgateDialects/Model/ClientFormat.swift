/// An API that clients speak: each ``WireFormat``, and those that no upstream uses.
package enum ClientFormat: String, CaseIterable, Sendable {
    case chat
    case messages
    case responses
    /// Ollama's `/api/chat`.
    case ollamaChat = "ollama-chat"
    /// Ollama's `/api/generate`.
    case ollamaGenerate = "ollama-generate"

    package init(_ format: WireFormat) {
        self =
            switch format {
            case .chat: .chat
            case .messages: .messages
            case .responses: .responses
            }
    }

    /// Equal format of upstreams; nil if no upstream speaks this one.
    package var wire: WireFormat? { WireFormat(rawValue: rawValue) }

    /// Name for messages and documents.
    package var title: String {
        switch self {
        case .chat, .messages, .responses: wire?.title ?? rawValue
        case .ollamaChat: "Ollama's `/api/chat`"
        case .ollamaGenerate: "Ollama's `/api/generate`"
        }
    }
}
