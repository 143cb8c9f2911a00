/// One message of a conversation, in the form of chat completions.
public struct ChatMessage: Hashable, Sendable {
    /// Who speaks.
    public struct Role: RawRepresentable, Hashable, Sendable, Codable {
        /// Rules for the whole conversation.
        public static let system = Role(rawValue: "system")
        /// The role that newer models of OpenAI use instead of ``system``.
        public static let developer = Role(rawValue: "developer")
        /// The person.
        public static let user = Role(rawValue: "user")
        /// The model.
        public static let assistant = Role(rawValue: "assistant")
        /// The result of a tool, for the model.
        public static let tool = Role(rawValue: "tool")

        /// The word on the wire.
        public let rawValue: String

        /// Any word; vendors have further ones.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Who speaks.
    public var role: Role
    /// Content of the message; nil if the message only calls tools.
    public var content: MessageContent?
    /// Reasoning of the model before its reply. Decoded, but never sent: some upstreams refuse it.
    public var reasoning: String?
    /// The model's reason to decline, if it is sent apart from the content.
    public var refusal: String?
    /// Tools that the model wants called.
    public var toolCalls: [ToolCall]
    /// Identifier of the call to which a tool result belongs.
    public var toolCallID: String?
    /// Tells speakers of one role from each other.
    public var name: String?
    /// Members that have no property here, such as `annotations`. Decoded, but never sent, like ``reasoning``.
    public var additional: [String: JSONValue]

    /// A message of any role.
    public init(
        role: Role, content: MessageContent?, reasoning: String? = nil, toolCalls: [ToolCall] = [],
        toolCallID: String? = nil, name: String? = nil, refusal: String? = nil, additional: [String: JSONValue] = [:]
    ) {
        self.role = role
        self.content = content
        self.reasoning = reasoning
        self.toolCalls = toolCalls
        self.toolCallID = toolCallID
        self.name = name
        self.refusal = refusal
        self.additional = additional
    }

    /// Rules for the whole conversation.
    public static func system(_ text: String) -> ChatMessage { ChatMessage(role: .system, content: .text(text)) }
    /// Creates a message of the user.
    public static func user(_ content: MessageContent) -> ChatMessage { ChatMessage(role: .user, content: content) }
    /// Creates a message of the user.
    public static func user(_ text: String) -> ChatMessage { .user(.text(text)) }
    /// Creates a message of the model.
    public static func assistant(_ text: String) -> ChatMessage { ChatMessage(role: .assistant, content: .text(text)) }
    /// Creates a message with the result of a tool call.
    public static func toolResult(_ text: String, of call: ToolCall) -> ChatMessage {
        ChatMessage(role: .tool, content: .text(text), toolCallID: call.id)
    }

    /// The text of the message, without images; empty if there is none.
    public var text: String { content?.text ?? "" }
}

extension ChatMessage: Codable {
    private static let known: Set<String> = [
        "role", "content", "reasoning_content", "reasoning", "refusal", "tool_calls", "tool_call_id", "name",
    ]

    /// Reads a message leniently: vendors leave members out and write `null` for others.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        role = try members.decodeIfPresent(Role.self, forKey: "role") ?? .assistant
        content = try members.decodeIfPresent(MessageContent.self, forKey: "content")
        reasoning = try members.reasoning()
        refusal = try members.decodeIfPresent(String.self, forKey: "refusal")
        toolCalls = try members.decodeIfPresent([ToolCall].self, forKey: "tool_calls") ?? []
        toolCallID = try members.decodeIfPresent(String.self, forKey: "tool_call_id")
        name = try members.decodeIfPresent(String.self, forKey: "name")
        additional = members.additional(besides: Self.known)
    }

    /// Writes the message with everything it holds.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encodeAdditional(additional)
        try members.encode(role, forKey: "role")
        // A message that only calls tools has to say that it has no content.
        if content != nil || !toolCalls.isEmpty { try members.encode(content, forKey: "content") }
        try members.encodeIfPresent(reasoning, forKey: "reasoning_content")
        if !toolCalls.isEmpty { try members.encode(toolCalls, forKey: "tool_calls") }
        try members.encodeIfPresent(toolCallID, forKey: "tool_call_id")
        try members.encodeIfPresent(name, forKey: "name")
        try members.encodeIfPresent(refusal, forKey: "refusal")
    }
}

extension ChatMessage {
    /// Without what only answers have: some upstreams refuse it.
    var asSent: ChatMessage {
        var message = self
        message.reasoning = nil
        message.additional = [:]
        return message
    }
}

extension KeyedDecodingContainer<MemberName> {
    /// Reads the reasoning: `reasoning_content` of DeepSeek, vLLM and Headgate, `reasoning` of OpenRouter and Groq.
    func reasoning() throws -> String? {
        if let text = try decodeIfPresent(String.self, forKey: "reasoning_content") { return text }
        // Elsewhere `reasoning` may be an object.
        return try? decodeIfPresent(String.self, forKey: "reasoning")
    }
}
