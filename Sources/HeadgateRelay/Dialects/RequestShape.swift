/// Members of a request that a route reads. Every route reads `model`.
///
/// A class, because every request refers to one, and copying so many members would cost more than parsing.
package final class RequestShape: Sendable {
    enum Streams: Sendable {
        /// `stream: true` requests a stream.
        case asked
        /// The member is not read.
        case ignored
        /// The route has no streams; `stream: true` is refused.
        case refused
        /// The route has no streams; a `stream_format` other than `audio` is refused.
        case refusedByFormat
    }

    /// Whether `messages` is required; it must be an array.
    let needsMessages: Bool
    /// Whether `n` requests several choices in one stream.
    let countsChoices: Bool
    /// Whether the gateway requests usage in streams with `stream_options`.
    package let asksUsage: Bool
    /// Members that limit the length of a response.
    let tokenLimits: [StaticString]
    /// Bit i is set if one of ``tokenLimits`` has i bytes.
    let tokenLimitLengths: UInt64
    /// Member that states how many completions are generated, besides the `n` of a chat.
    let answerCount: StaticString?
    /// Whether `prompt` can be a list of prompts, each with its own completions.
    let listsPrompts: Bool
    /// Whether `options.num_predict` limits the length of a response, as in Ollama's API.
    let hasOptions: Bool
    let streams: Streams
    /// Whether upstreams store responses that a request can continue, by `previous_response_id` or `conversation`.
    package let isStored: Bool
    /// Whether `encoding_format` selects the encoding of the response's vectors.
    let encodesVectors: Bool
    /// Whether `service_tier` or `speed` selects the tier of processing.
    package let hasTiers: Bool
    /// Whether `thread` and `fallback_credit_token` continue state that the upstream stores of an earlier message.
    package let hasThreads: Bool
    /// Names of all members that the route reads.
    let names: MemberNames

    init(
        needsMessages: Bool = false, countsChoices: Bool = false, asksUsage: Bool = false,
        tokenLimits: [StaticString] = [], answerCount: StaticString? = nil, listsPrompts: Bool = false,
        hasOptions: Bool = false, streams: Streams = .asked, isStored: Bool = false, encodesVectors: Bool = false,
        hasTiers: Bool = false, hasThreads: Bool = false
    ) {
        self.needsMessages = needsMessages
        self.countsChoices = countsChoices
        self.asksUsage = asksUsage
        self.tokenLimits = tokenLimits
        tokenLimitLengths = tokenLimits.reduce(0) { $0 | 1 << UInt64($1.utf8CodeUnitCount) }
        self.answerCount = answerCount
        self.listsPrompts = listsPrompts
        self.hasOptions = hasOptions
        self.streams = streams
        self.isStored = isStored
        statesMore = answerCount != nil || listsPrompts || hasOptions
        self.encodesVectors = encodesVectors
        self.hasTiers = hasTiers
        self.hasThreads = hasThreads
        var names = ["model"] + (tokenLimits + (answerCount.map { [$0] } ?? [])).map(\.description)
        if needsMessages { names.append("messages") }
        if countsChoices { names.append("n") }
        if asksUsage { names.append("stream_options") }
        switch streams {
        case .asked, .refused: names.append("stream")
        case .refusedByFormat: names.append("stream_format")
        case .ignored: break
        }
        if listsPrompts { names.append("prompt") }
        if hasOptions { names.append("options") }
        if isStored { names += ["previous_response_id", "conversation"] }
        if encodesVectors { names.append("encoding_format") }
        if hasThreads { names += ["thread", "fallback_credit_token"] }
        if hasTiers { names += ["service_tier", "speed"] }
        self.names = MemberNames(names)
    }

    /// Shape of a multipart form, of which only the model is read.
    static let form = RequestShape(streams: .ignored)

    static let chat = RequestShape(
        needsMessages: true, countsChoices: true, asksUsage: true,
        tokenLimits: ["max_tokens", "max_completion_tokens"], hasTiers: true)

    /// Whether ``StatedOutput`` reads further members.
    let statesMore: Bool

    /// Whether responses are text whose length a request can limit.
    var limitsText: Bool { !tokenLimits.isEmpty || hasOptions }
}
