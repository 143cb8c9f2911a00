/// Messages assembled from the items of a request.
///
/// A response's items follow each other in a request. The texts, the reasoning and the calls of the assistant up to the
/// next message or result form one message.
struct ResponsesConversation {
    private var messages: [Message] = []

    mutating func add(_ message: Message) {
        switch message.role {
        case .assistant, .tool:
            guard let last = messages.last, last.role == message.role else { return messages.append(message) }
            messages[messages.count - 1].parts += message.parts
        case .system, .developer, .user: messages.append(message)
        }
    }

    /// Returns the messages without reasoning that led to no output, and without empty assistant messages.
    func messages(_ losses: inout Losses) -> [Message] {
        messages.filter { message in
            guard message.role == .assistant, message.parts.allSatisfy(\.content.isReasoning) else { return true }
            if !message.parts.isEmpty { losses.drop(.reasoningHistory) }
            return false
        }
    }
}

extension Content {
    var isReasoning: Bool { if case .reasoning = self { true } else { false } }
}
