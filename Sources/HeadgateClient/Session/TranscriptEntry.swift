/// One message of a session's conversation.
public struct TranscriptEntry: Hashable, Sendable, Codable, Identifiable {
    /// Unique in its session, and rising.
    public let id: Int
    /// What was said.
    public let message: ChatMessage
    /// Whether the message is the beginning of a response that was cancelled or broke off.
    public let isPartial: Bool

    /// An entry, to continue a saved conversation.
    public init(id: Int, message: ChatMessage, isPartial: Bool = false) {
        self.id = id
        self.message = message
        self.isPartial = isPartial
    }
}
