/// A request for a legacy completion: text that continues a prompt.
public struct CompletionRequest: Hashable, Sendable {
    /// A model by its public name.
    public var model: String
    /// Text to continue.
    public var prompt: String
    /// Options for the completion.
    public var options: ChatOptions

    /// A request for text that continues a prompt.
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
    /// One of the texts that were asked for.
    public struct Choice: Hashable, Sendable {
        /// Its number, from 0.
        public var index: Int
        /// The text, or more of it.
        public var text: String
        /// Why the model stopped.
        public var finishReason: FinishReason?
        /// Members that have no property here, such as `logprobs`.
        public var additional: [String: JSONValue] = [:]
    }

    /// The provider's name for this completion.
    public var id: String
    /// The model that wrote it.
    public var model: String
    /// The texts, usually one.
    public var choices: [Choice]
    /// Tokens used.
    public var usage: TokenUsage?
    /// When it was made, in seconds since 1970, where the server says so.
    public var created: Int?
    /// Names the configuration of the provider that gave it.
    public var systemFingerprint: String?
    /// Members that have no property here, such as those of one vendor.
    public var additional: [String: JSONValue] = [:]

    /// The first text.
    public var text: String { choices.first { $0.index == 0 }?.text ?? "" }
}

extension TextCompletion: Decodable {
    /// Reads a completion leniently: whatever is missing or null is empty.
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
    /// Reads a choice; one without a number is the first.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        index = try members.decodeIfPresent(Int.self, forKey: "index") ?? 0
        text = try members.decodeIfPresent(String.self, forKey: "text") ?? ""
        finishReason = try members.finishReason()
        additional = members.additional(besides: ["index", "text", "finish_reason"])
    }
}
