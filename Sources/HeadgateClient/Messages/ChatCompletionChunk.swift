/// A piece of a streamed response.
public struct ChatCompletionChunk: Hashable, Sendable {
    /// Addition of a chunk to one of the choices.
    public struct Choice: Hashable, Sendable {
        /// Index of the choice, from 0.
        public var index: Int
        /// The addition.
        public var delta: Delta
        /// Finish reason, in the last piece of this choice.
        public var finishReason: FinishReason?
        /// Log probabilities of the added tokens, if they were requested.
        public var logProbabilities: LogProbabilities?
        /// Members without a property.
        public var additional: [String: JSONValue] = [:]
    }

    /// Content added by a chunk. Any part of it can be missing, even all of it.
    public struct Delta: Hashable, Sendable {
        /// Role, in the first piece.
        public var role: ChatMessage.Role?
        /// Added text.
        public var content: String?
        /// Added text of the model's reasoning.
        public var reasoning: String?
        /// Added text of a refusal.
        public var refusal: String?
        /// Pieces of tool calls.
        public var toolCalls: [ToolCallFragment] = []
        /// Members without a property.
        public var additional: [String: JSONValue] = [:]
    }

    /// The provider's id of the whole response.
    public var id: String
    /// Name of the model that produces the response.
    public var model: String
    /// Additions to the choices; empty on the chunk that carries the usage.
    public var choices: [Choice]
    /// Tokens used, on the last chunk, if they were requested.
    public var usage: TokenUsage?
    /// Creation time of the response in seconds since 1970; nil if the server does not report it.
    public var created: Int?
    /// Identifier of the provider's configuration that produces the response.
    public var systemFingerprint: String?
    /// Members without a property, such as vendor-specific ones.
    public var additional: [String: JSONValue] = [:]
}

/// A piece of a tool call.
public struct ToolCallFragment: Hashable, Sendable {
    /// Index of the call in this choice, from 0; nil from servers that omit it.
    public var index: Int?
    /// Id of the call, in the first piece; some servers repeat it.
    public var id: String?
    /// Name of the tool, in the first piece; some servers repeat it.
    public var name: String?
    /// Added text of the arguments' JSON.
    public var arguments: String?
    /// Members without a property.
    public var additional: [String: JSONValue] = [:]
}

extension ChatCompletionChunk: Decodable {
    /// Reads a chunk leniently: a missing or null value is empty.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        id = try members.decodeIfPresent(String.self, forKey: "id") ?? ""
        model = try members.decodeIfPresent(String.self, forKey: "model") ?? ""
        choices = try members.decodeIfPresent([Choice].self, forKey: "choices") ?? []
        usage = try members.decodeIfPresent(TokenUsage.self, forKey: "usage")
        created = members.seconds(forKey: "created")
        systemFingerprint = try? members.decodeIfPresent(String.self, forKey: "system_fingerprint")
        additional = members.additional(besides: knownMembersOfCompletions)
    }
}

extension ChatCompletionChunk.Choice: Decodable {
    private static let known: Set<String> = ["index", "delta", "finish_reason", "logprobs"]

    /// Reads a choice. A missing index is read as 0.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        index = try members.decodeIfPresent(Int.self, forKey: "index") ?? 0
        delta = try members.decodeIfPresent(ChatCompletionChunk.Delta.self, forKey: "delta") ?? .init()
        finishReason = try members.finishReason()
        logProbabilities = members.logProbabilities()
        additional = members.additional(besides: Self.known)
    }
}

extension ChatCompletionChunk.Delta: Decodable {
    private static let known: Set<String> = [
        "role", "content", "reasoning_content", "reasoning", "refusal", "tool_calls",
    ]

    /// Reads a delta. Content in parts is joined.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        role = try members.decodeIfPresent(ChatMessage.Role.self, forKey: "role")
        content = try members.decodeIfPresent(MessageContent.self, forKey: "content")?.text
        reasoning = try members.reasoning()
        refusal = try members.decodeIfPresent(String.self, forKey: "refusal")
        toolCalls = try members.decodeIfPresent([ToolCallFragment].self, forKey: "tool_calls") ?? []
        additional = members.additional(besides: Self.known)
    }
}

extension ToolCallFragment: Decodable {
    private static let known: Set<String> = ["index", "id", "type", "function"]

    /// Reads a fragment, in which every member can be missing.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        index = try members.decodeIfPresent(Int.self, forKey: "index")
        id = try members.decodeIfPresent(String.self, forKey: "id")
        additional = members.additional(besides: Self.known)
        guard members.contains("function"), try !members.decodeNil(forKey: "function") else { return }
        let function = try members.nestedContainer(keyedBy: MemberName.self, forKey: "function")
        name = try function.decodeIfPresent(String.self, forKey: "name")
        arguments = try function.arguments()
    }
}
