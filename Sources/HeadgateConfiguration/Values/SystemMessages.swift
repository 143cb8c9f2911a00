/// How an upstream of chat completions takes the instructions of a conversation.
package enum SystemMessages: String, Sendable, CaseIterable {
    /// As one system message, the first.
    case joined
    /// As the client has them, wherever they are.
    case separate
}
