/// A model's whole response, in no particular format.
package struct ModelResponse: Equatable, Sendable {
    package var id: String?
    /// The upstream's name for it.
    package var model: String?
    /// Texts, refusals, reasoning and calls of tools, in their order.
    package var contents: [Content] = []
    package var end = ResponseEnd.stop
    package var usage: TokenUsage?
    /// Parts of the upstream's response that no other format has, each once, by the names that the upstream has for
    /// them. At most ``mostDropped``.
    package private(set) var dropped: [String] = []

    private static let mostDropped = 32

    package init() {}

    /// Drops an element of a type that no other format has. The type is named if it is a word, since upstreams can send
    /// anything.
    mutating func drop(_ list: String, ofType type: String, _ element: JSONValue) {
        let isWord =
            (1...40).contains(type.utf8.count) && type.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
        drop(isWord ? "\(list).\(type)" : list, element)
    }

    /// - Parameters:
    ///   - part: its path in the response, with `[]` for each element of an array.
    ///   - value: what is lost with it; nothing for nil and for an empty list.
    mutating func drop(_ part: String, _ value: JSONValue?) {
        guard let value, !value.isNull, value != [], dropped.count < ModelResponse.mostDropped else { return }
        let name = "response.\(part)"
        if !dropped.contains(name) { dropped.append(name) }
    }
}

/// Why a response ended.
package enum ResponseEnd: Equatable, Sendable {
    /// The model had no more to say.
    case stop
    /// - Parameter sequence: the one that came, where the upstream says which.
    case stopSequence(String?)
    /// `max_tokens`, or the end of the context.
    case length
    case toolCalls
    /// The provider's filter, or the model, refused.
    case refused
    /// The provider asks for another request with the response so far.
    case paused
}

/// Tokens. Nil for what the upstream does not say.
package struct TokenUsage: Equatable, Sendable {
    /// All of the prompt, whether cached or not.
    package var input: Int?
    /// Input tokens read from the cache.
    package var cachedInput: Int?
    /// Input tokens written to the cache.
    package var cacheWrites: Int?
    package var output: Int?
    /// Output tokens that were reasoning.
    package var reasoning: Int?

    /// The largest token count that is accepted anywhere. A larger number from an upstream is not a count: no response
    /// has as many tokens, and sums of counts stay exact.
    package static let largestCount = 1 << 40

    /// - Returns: nil for a number that cannot be a token count.
    package static func count(_ number: Int?) -> Int? {
        guard let number, (0...largestCount).contains(number) else { return nil }
        return number
    }

    package init(
        input: Int? = nil, cachedInput: Int? = nil, cacheWrites: Int? = nil, output: Int? = nil, reasoning: Int? = nil
    ) {
        self.input = input
        self.cachedInput = cachedInput
        self.cacheWrites = cacheWrites
        self.output = output
        self.reasoning = reasoning
    }

    /// Replaces counts by those of a later report; reports are cumulative.
    package mutating func update(with later: TokenUsage) {
        input = later.input ?? input
        cachedInput = later.cachedInput ?? cachedInput
        cacheWrites = later.cacheWrites ?? cacheWrites
        output = later.output ?? output
        reasoning = later.reasoning ?? reasoning
    }
}

extension JSONValue {
    /// A token count as an upstream reports it; nil if it cannot be one.
    var tokenCount: Int? { TokenUsage.count(integer) }
}
