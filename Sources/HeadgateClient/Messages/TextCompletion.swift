/// A request for a legacy completion: text that continues a prompt.
public struct CompletionRequest: Hashable, Sendable {
    /// Public name of a model.
    public var model: String
    /// Text to continue.
    public var prompt: String
    /// Options for the completion.
    public var options: ChatOptions

    /// Creates a request for text that continues a prompt.
    public init(model: String, prompt: String, options: ChatOptions = ChatOptions()) {
        self.model = model
        self.prompt = prompt
        self.options = options
    }

    func body(isStream: Bool) throws -> [UInt8] {
        try JSONCoding.encode(Body(request: self, isStream: isStream))
    }

    private struct Body: Encodable {
        let request: CompletionRequest
        let isStream: Bool

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: MemberName.self)
            try members.encode(request.model, forKey: "model")
            try members.encode(request.prompt, forKey: "prompt")
            try members.encodeStream(isStream, includesUsage: true)
            try members.encodeAdditional(request.options.legacyMembers)
        }
    }
}

/// A legacy completion, or a piece of a streamed one.
public struct TextCompletion: Hashable, Sendable {
    /// One of the requested texts.
    public struct Choice: Hashable, Sendable {
        /// Index of the choice, from 0.
        public var index: Int
        /// The text, or an addition to it.
        public var text: String
        /// The reason why the model stopped.
        public var finishReason: FinishReason?
        /// Members without a property, such as `logprobs`.
        public var additional: [String: JSONValue] = [:]
    }

    /// The provider's id of this completion.
    public var id: String
    /// Name of the model that wrote the completion.
    public var model: String
    /// The texts, usually one.
    public var choices: [Choice]
    /// Tokens used.
    public var usage: TokenUsage?
    /// Creation time in seconds since 1970; nil if the server does not report it.
    public var created: Int?
    /// Identifier of the provider's configuration that produced the completion.
    public var systemFingerprint: String?
    /// Members without a property, such as vendor-specific ones.
    public var additional: [String: JSONValue] = [:]

    /// The first text.
    public var text: String { choices.first { $0.index == 0 }?.text ?? "" }
}

extension TextCompletion: Decodable {
    /// Reads a completion leniently: a missing or null value is empty.
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

extension TextCompletion.Choice: Decodable {
    /// Reads a choice. A missing index is read as 0.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        index = try members.decodeIfPresent(Int.self, forKey: "index") ?? 0
        text = try members.decodeIfPresent(String.self, forKey: "text") ?? ""
        finishReason = try members.finishReason()
        additional = members.additional(besides: ["index", "text", "finish_reason"])
    }
}
