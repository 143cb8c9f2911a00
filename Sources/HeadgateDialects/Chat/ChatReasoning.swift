/// Reasoning in `thinking_blocks`: Anthropic's blocks in chat messages, as LiteLLM writes them.
enum ChatReasoning {
    static let thinking = "thinking"
    static let redacted = "redacted_thinking"

    /// - Returns: The reasoning of a block; nil if it is not a block of thinking.
    static func read(_ block: JSONValue) -> Reasoning? {
        switch block["type"]?.string {
        case thinking:
            guard let text = block["thinking"]?.string else { return nil }
            let signature = block["signature"]?.string ?? ""
            let seal = signature.isEmpty ? nil : ReasoningSeal(written: signature, by: .chat)
            return Reasoning(text, seal: seal)
        case redacted:
            guard let data = block["data"]?.string else { return nil }
            return Reasoning("", seal: ReasoningSeal(written: data, by: .chat, isRedacted: true))
        default: return nil
        }
    }

    /// Returns the block for reasoning with a seal, which the client sends back later.
    static func block(_ text: String, _ seal: ReasoningSeal) -> JSONValue {
        if seal.isRedacted {
            return ["type": .string(redacted), "data": .string(seal.written(for: .chat))]
        }
        return [
            "type": .string(thinking), "thinking": .string(text), "signature": .string(seal.written(for: .chat)),
        ]
    }
}
