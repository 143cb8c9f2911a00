/// A message of a conversation, in the form of chat completions.
public struct ChatMessage: Hashable, Sendable {
    /// Author of a message.
    public struct Role: RawRepresentable, Hashable, Sendable, Codable {
        /// Instructions for the whole conversation.
        public static let system = Role(rawValue: "system")
        /// The role that newer OpenAI models use instead of ``system``.
        public static let developer = Role(rawValue: "developer")
        /// The user.
        public static let user = Role(rawValue: "user")
        /// The model.
        public static let assistant = Role(rawValue: "assistant")
        /// A tool, whose result the message contains.
        public static let tool = Role(rawValue: "tool")

        /// The value in requests and responses.
        public let rawValue: String

        /// Creates a role from any value, because vendors have further ones.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Author of the message.
    public var role: Role
    /// Content of the message; nil if the message only calls tools.
    public var content: MessageContent?
    /// Reasoning of the model before its reply. It is decoded but never sent, because some upstreams reject it.
    public var reasoning: String?
    /// The model's refusal, if it is separate from the content.
    public var refusal: String?
    /// Tool calls of the model.
    public var toolCalls: [ToolCall]
    /// Id of the call to which a tool result belongs.
    public var toolCallID: String?
    /// Name that distinguishes authors with the same role.
    public var name: String?
    /// Members without a property, such as `annotations`. Like ``reasoning``, they are decoded but never sent.
    public var additional: [String: JSONValue]

    /// Creates a message of any role.
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

    /// Creates a message with instructions for the whole conversation.
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

    /// Reads a message leniently, because vendors omit members or send `null`.
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

    /// Writes all members of the message.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encodeAdditional(additional)
        try members.encode(role, forKey: "role")
        // A message that only calls tools must contain a null content.
        if content != nil || !toolCalls.isEmpty { try members.encode(content, forKey: "content") }
        try members.encodeIfPresent(reasoning, forKey: "reasoning_content")
        if !toolCalls.isEmpty { try members.encode(toolCalls, forKey: "tool_calls") }
        try members.encodeIfPresent(toolCallID, forKey: "tool_call_id")
        try members.encodeIfPresent(name, forKey: "name")
        try members.encodeIfPresent(refusal, forKey: "refusal")
    }
}

extension ChatMessage {
    /// The message without members that only responses have, because some upstreams reject them.
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
        // Other servers can send an object as `reasoning`.
        return try? decodeIfPresent(String.self, forKey: "reasoning")
    }
}
