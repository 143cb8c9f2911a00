/// The dialect of a stream.
package enum StreamDialect: Sendable {
    /// OpenAI's chat completions: `[DONE]` ends them.
    case chat
    /// Anthropic's Messages: `message_stop` ends them.
    case messages

    var marker: String {
        switch self {
        case .chat: "[DONE]"
        case .messages: "message_stop"
        }
    }
}
