/// Property that equal requests share to reach the same target while it is healthy.
package enum Affinity: Sendable, Hashable {
    case none
    /// The model, the system message and the first user message.
    case conversation
    /// The request's `user`.
    case user
    /// The request's `prompt_cache_key`.
    case promptCacheKey
    /// The value of a header; its name is in lower case.
    case header(String)
}

extension Affinity {
    static let expected = "none, conversation, user, prompt_cache_key or header:NAME"

    private static let words: [String: Affinity] = [
        "none": .none, "conversation": .conversation, "user": .user, "prompt_cache_key": .promptCacheKey,
    ]

    /// Parses an affinity. Headers with credentials are rejected, because they only decide whether a caller is
    /// admitted.
    init(parsing text: String) throws(InvalidValue) {
        if let affinity = Self.words[text] {
            self = affinity
            return
        }
        guard text.hasPrefix("header:") else {
            let advice = nearest(text, in: Self.words.keys.sorted()).map { "; did you mean \(quoted($0))?" } ?? ""
            throw InvalidValue("expected \(Self.expected)\(advice)")
        }
        let name = text.dropFirst("header:".count).lowercased()
        guard HeaderConfiguration.isName(name) else {
            throw InvalidValue("not a header name: write letters, digits and '-', such as header:X-Session-Id")
        }
        guard !HeaderConfiguration.mayHoldCredential(ofClient: name) else {
            throw InvalidValue("the field may hold the client's credential: name one that holds no secret")
        }
        self = .header(name)
    }
}
