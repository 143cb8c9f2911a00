/// A whole response. It is Codable, so that an app can store it.
public struct ChatCompletion: Hashable, Sendable {
    /// One of the requested choices.
    public struct Choice: Hashable, Sendable {
        /// Index of the choice, from 0.
        public var index: Int
        /// Message of the model.
        public var message: ChatMessage
        /// The reason why the model stopped.
        public var finishReason: FinishReason?
        /// Log probabilities of the tokens, if they were requested.
        public var logProbabilities: LogProbabilities?
        /// Members without a property, such as vendor-specific ones.
        public var additional: [String: JSONValue]

        /// Creates a choice, for example in tests.
        public init(
            index: Int = 0, message: ChatMessage, finishReason: FinishReason? = .stop,
            logProbabilities: LogProbabilities? = nil, additional: [String: JSONValue] = [:]
        ) {
            self.index = index
            self.message = message
            self.finishReason = finishReason
            self.logProbabilities = logProbabilities
            self.additional = additional
        }
    }

    /// The provider's id of this response.
    public var id: String
    /// Name of the model that produced the response.
    public var model: String
    /// The choices, usually one.
    public var choices: [Choice]
    /// Tokens used; nil if the server does not report them.
    public var usage: TokenUsage?
    /// Creation time in seconds since 1970; nil if the server does not report it.
    public var created: Int?
    /// Identifier of the provider's configuration that produced the response.
    public var systemFingerprint: String?
    /// Members without a property, such as `service_tier` and vendor-specific ones.
    public var additional: [String: JSONValue]

    /// Creates a response, for example in tests.
    public init(
        id: String, model: String, choices: [Choice], usage: TokenUsage? = nil, created: Int? = nil,
        systemFingerprint: String? = nil, additional: [String: JSONValue] = [:]
    ) {
        self.id = id
        self.model = model
        self.choices = choices
        self.usage = usage
        self.created = created
        self.systemFingerprint = systemFingerprint
        self.additional = additional
    }

    /// The text of the first choice.
    public var text: String { choices.first?.message.text ?? "" }
}

/// Members of a response or chunk that have a property, or whose value is known.
let knownMembersOfCompletions: Set<String> = [
    "id", "object", "created", "model", "choices", "usage", "system_fingerprint",
]

extension ChatCompletion: Codable {
    /// Reads a response of any OpenAI-compatible server. Only the choices are required.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        id = try members.decodeIfPresent(String.self, forKey: "id") ?? ""
        model = try members.decodeIfPresent(String.self, forKey: "model") ?? ""
        choices = try members.decode([Choice].self, forKey: "choices")
        usage = try members.decodeIfPresent(TokenUsage.self, forKey: "usage")
        created = members.seconds(forKey: "created")
        systemFingerprint = try? members.decodeIfPresent(String.self, forKey: "system_fingerprint")
        additional = members.additional(besides: knownMembersOfCompletions)
    }

    /// Writes the response in the API's format.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encodeAdditional(additional)
        try members.encode(id, forKey: "id")
        try members.encode("chat.completion", forKey: "object")
        try members.encodeIfPresent(created, forKey: "created")
        try members.encode(model, forKey: "model")
        try members.encode(choices, forKey: "choices")
        try members.encodeIfPresent(usage, forKey: "usage")
        try members.encodeIfPresent(systemFingerprint, forKey: "system_fingerprint")
    }
}

extension ChatCompletion.Choice: Codable {
    private static let known: Set<String> = ["index", "message", "finish_reason", "logprobs"]

    /// Reads a choice. A missing index is read as 0.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        index = try members.decodeIfPresent(Int.self, forKey: "index") ?? 0
        message = try members.decode(ChatMessage.self, forKey: "message")
        finishReason = try members.finishReason()
        logProbabilities = members.logProbabilities()
        additional = members.additional(besides: Self.known)
    }

    /// Writes the choice in the API's format.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encodeAdditional(additional)
        try members.encode(index, forKey: "index")
        try members.encode(message, forKey: "message")
        try members.encode(finishReason, forKey: "finish_reason")
        try members.encodeIfPresent(logProbabilities, forKey: "logprobs")
    }
}
