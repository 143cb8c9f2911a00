/// A whole response. Codable, so that an app may keep it.
public struct ChatCompletion: Hashable, Sendable {
    /// One of the choices that were asked for.
    public struct Choice: Hashable, Sendable {
        /// Its number, from 0.
        public var index: Int
        /// Message of the model.
        public var message: ChatMessage
        /// Why it stopped.
        public var finishReason: FinishReason?
        /// Log probabilities of its tokens, if they were requested.
        public var logProbabilities: LogProbabilities?
        /// Members that have no property here, such as those of one vendor.
        public var additional: [String: JSONValue]

        /// A choice as tests write it.
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

    /// The provider's name for this response.
    public var id: String
    /// The model that gave it.
    public var model: String
    /// The choices, usually one.
    public var choices: [Choice]
    /// Tokens used.
    public var usage: TokenUsage?
    /// When it was made, in seconds since 1970, where the server says so.
    public var created: Int?
    /// Names the configuration of the provider that gave it.
    public var systemFingerprint: String?
    /// Members that have no property here, such as `service_tier` and those of one vendor.
    public var additional: [String: JSONValue]

    /// A response as tests write it.
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

/// The members of a response, whole or in pieces, that have a property, or say what is known.
let knownMembersOfCompletions: Set<String> = [
    "id", "object", "created", "model", "choices", "usage", "system_fingerprint",
]

extension ChatCompletion: Codable {
    /// Reads a response of any OpenAI-compatible server; only the choices must be there.
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

    /// Writes the wire's form.
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

    /// Reads a choice; one without a number is the first.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        index = try members.decodeIfPresent(Int.self, forKey: "index") ?? 0
        message = try members.decode(ChatMessage.self, forKey: "message")
        finishReason = try members.finishReason()
        logProbabilities = members.logProbabilities()
        additional = members.additional(besides: Self.known)
    }

    /// Writes the wire's form.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encodeAdditional(additional)
        try members.encode(index, forKey: "index")
        try members.encode(message, forKey: "message")
        try members.encode(finishReason, forKey: "finish_reason")
        try members.encodeIfPresent(logProbabilities, forKey: "logprobs")
    }
}
