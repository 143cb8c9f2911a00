/// A whole response.
public struct ChatCompletion: Hashable, Sendable {
    /// One of the choices that were asked for.
    public struct Choice: Hashable, Sendable, Decodable {
        /// Its number, from 0.
        public var index: Int
        /// What the model said.
        public var message: ChatMessage
        /// Why it stopped.
        public var finishReason: FinishReason?

        init(index: Int, message: ChatMessage, finishReason: FinishReason?) {
            self.index = index
            self.message = message
            self.finishReason = finishReason
        }

        /// Reads a choice; one without a number is the first.
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: MemberName.self)
            index = try members.decodeIfPresent(Int.self, forKey: "index") ?? 0
            message = try members.decode(ChatMessage.self, forKey: "message")
            finishReason = try members.finishReason()
        }
    }

    /// The provider's name for this response.
    public var id: String
    /// The model that gave it.
    public var model: String
    /// The choices, usually one.
    public var choices: [Choice]
    /// What it cost.
    public var usage: TokenUsage?

    /// The text of the first choice.
    public var text: String { choices.first?.message.text ?? "" }
}

extension ChatCompletion: Decodable {
    /// Reads a response of any OpenAI-compatible server; only the choices must be there.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        id = try members.decodeIfPresent(String.self, forKey: "id") ?? ""
        model = try members.decodeIfPresent(String.self, forKey: "model") ?? ""
        choices = try members.decode([Choice].self, forKey: "choices")
        usage = try members.decodeIfPresent(TokenUsage.self, forKey: "usage")
    }
}
