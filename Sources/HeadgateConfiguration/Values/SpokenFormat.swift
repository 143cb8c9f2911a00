/// A form of conversations with a model that an upstream may take.
package enum SpokenFormat: String, Sendable, CaseIterable {
    /// OpenAI's chat completions.
    case chat
    /// Anthropic's Messages.
    case messages
    /// OpenAI's Responses.
    case responses
}

extension UpstreamKind {
    /// What an upstream of the kind takes where the configuration does not say.
    package var spokenFormats: [SpokenFormat] {
        switch self {
        case .openai, .azure, .onDevice: [.chat, .responses]
        case .anthropic: [.messages]
        }
    }
}
