/// Log probabilities of a choice's tokens, if the request set `logprobs`.
public struct LogProbabilities: Hashable, Sendable {
    /// A token with its log probability.
    public struct Token: Hashable, Sendable {
        /// Text of the token, which can be a part of a character.
        public var token: String
        /// Natural logarithm of the token's probability.
        public var logProbability: Double
        /// Bytes of the token in UTF-8; nil if the server does not report them.
        public var bytes: [UInt8]?
        /// The most likely tokens at this position, if they were requested with `top_logprobs`.
        public var alternatives: [Token]

        /// Creates a token, for example in tests.
        public init(token: String, logProbability: Double, bytes: [UInt8]? = nil, alternatives: [Token] = []) {
            self.token = token
            self.logProbability = logProbability
            self.bytes = bytes
            self.alternatives = alternatives
        }
    }

    /// Tokens of the content.
    public var content: [Token]
    /// Tokens of the refusal.
    public var refusal: [Token]

    /// Creates the log probabilities of a choice.
    public init(content: [Token], refusal: [Token] = []) {
        self.content = content
        self.refusal = refusal
    }
}

extension LogProbabilities: Codable {
    /// Reads the log probabilities leniently.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        content = try members.decodeIfPresent([Token].self, forKey: "content") ?? []
        refusal = try members.decodeIfPresent([Token].self, forKey: "refusal") ?? []
    }

    /// Writes the log probabilities in the API's format.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encode(content, forKey: "content")
        if !refusal.isEmpty { try members.encode(refusal, forKey: "refusal") }
    }
}

extension LogProbabilities.Token: Codable {
    /// Reads a token leniently.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        token = try members.decodeIfPresent(String.self, forKey: "token") ?? ""
        logProbability = try members.decode(Double.self, forKey: "logprob")
        bytes = try members.decodeIfPresent([UInt8].self, forKey: "bytes")
        alternatives = try members.decodeIfPresent([Self].self, forKey: "top_logprobs") ?? []
    }

    /// Writes the token in the API's format.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encode(token, forKey: "token")
        try members.encode(logProbability, forKey: "logprob")
        try members.encodeIfPresent(bytes, forKey: "bytes")
        if !alternatives.isEmpty { try members.encode(alternatives, forKey: "top_logprobs") }
    }
}

extension KeyedDecodingContainer<MemberName> {
    /// Reads the log probabilities of a choice; nil if their format is different, as on the legacy route.
    func logProbabilities() -> LogProbabilities? {
        try? decodeIfPresent(LogProbabilities.self, forKey: "logprobs")
    }
}
