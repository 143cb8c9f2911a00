/// A model's whole response, independent of the format.
package struct ModelResponse: Equatable, Sendable {
    package var id: String?
    /// Name of the model at the upstream.
    package var model: String?
    /// Texts, refusals, reasoning and tool calls in their order.
    package var contents: [Content] = []
    package var end = ResponseEnd.stop
    package var usage: TokenUsage?
    /// Parts of the upstream's response that no other format has, each once, as the upstream names them. At most
    /// ``mostDropped``.
    package private(set) var dropped: [String] = []

    private static let mostDropped = 32

    package init() {}

    /// Drops an element of a type that no other format has. The type is named only if it is a plain word, because
    /// upstreams can send anything.
    mutating func drop(_ list: String, ofType type: String, _ element: JSONValue) {
        let isWord =
            (1...40).contains(type.utf8.count) && type.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
        drop(isWord ? "\(list).\(type)" : list, element)
    }

    /// Records a part of the response as dropped.
    ///
    /// - Parameters:
    ///   - part: Path in the response, with `[]` for each element of an array.
    ///   - value: The dropped value. Nil, null and an empty list are no loss.
    mutating func drop(_ part: String, _ value: JSONValue?) {
        guard let value, !value.isNull, value != [], dropped.count < ModelResponse.mostDropped else { return }
        let name = "response.\(part)"
        if !dropped.contains(name) { dropped.append(name) }
    }
}

/// The reason why a response ended.
package enum ResponseEnd: Equatable, Sendable {
    /// The model finished.
    case stop
    /// - Parameter sequence: The sequence that ended the response, if the upstream reports it.
    case stopSequence(String?)
    /// The response reached `max_tokens` or the end of the context.
    case length
    case toolCalls
    /// The provider's filter or the model refused.
    case refused
    /// The provider asks for another request with the response so far.
    case paused
}

/// Token counts. A count is nil if the upstream does not report it.
package struct TokenUsage: Equatable, Sendable {
    /// All tokens of the prompt, cached or not.
    package var input: Int?
    /// Input tokens read from the cache.
    package var cachedInput: Int?
    /// Input tokens written to the cache.
    package var cacheWrites: Int?
    package var output: Int?
    /// Output tokens that were reasoning.
    package var reasoning: Int?

    /// Largest token count that is accepted. A larger number from an upstream is not a count: no response has as many
    /// tokens, and sums of accepted counts stay exact.
    package static let largestCount = 1 << 40

    /// - Returns: Nil if the number cannot be a token count.
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

    /// Replaces counts with those of a later report, because reports are cumulative.
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
