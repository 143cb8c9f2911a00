/// The dialect of a stream.
package enum StreamDialect: Sendable {
    /// OpenAI's chat completions, which end with `[DONE]`.
    case chat
    /// Anthropic's Messages, which end with `message_stop`.
    case messages

    var marker: String {
        switch self {
        case .chat: "[DONE]"
        case .messages: "message_stop"
        }
    }
}
