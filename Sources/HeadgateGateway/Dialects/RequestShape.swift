/// Which members of its requests a route reads. `model` is one of them everywhere.
///
/// A class: every request refers to one, and copying so many members would cost more than parsing.
final class RequestShape: Sendable {
    enum Streams: Sendable {
        /// `stream: true` asks for a stream.
        case asked
        /// The member is not read.
        case ignored
        /// The route has no streams; `stream: true` is refused.
        case refused
        /// The same, and for `stream_format` too.
        case refusedByFormat
    }

    /// Whether `messages` must be there, an array.
    let needsMessages: Bool
    /// Whether `n` asks for several choices in one stream.
    let countsChoices: Bool
    /// Whether streams are asked for usage with `stream_options`.
    let asksUsage: Bool
    /// The members that limit the length of a response.
    let tokenLimits: [StaticString]
    /// The member that states how many completions are generated, besides the `n` of a chat.
    let answerCount: StaticString?
    /// Whether `prompt` can be a list of prompts, each with its own completions.
    let listsPrompts: Bool
    /// Whether `options.num_predict` limits the length of a response, as in Ollama's API.
    let hasOptions: Bool
    let streams: Streams
    /// Whether upstreams store responses that a request may continue, by `previous_response_id` or `conversation`.
    let isStored: Bool
    /// Whether `encoding_format` says in which form the vectors of the response are.
    let encodesVectors: Bool
    /// Of all members that it reads.
    let names: MemberNames

    init(
        needsMessages: Bool = false, countsChoices: Bool = false, asksUsage: Bool = false,
        tokenLimits: [StaticString] = [], answerCount: StaticString? = nil, listsPrompts: Bool = false,
        hasOptions: Bool = false, streams: Streams = .asked, isStored: Bool = false, encodesVectors: Bool = false
    ) {
        self.needsMessages = needsMessages
        self.countsChoices = countsChoices
        self.asksUsage = asksUsage
        self.tokenLimits = tokenLimits
        self.answerCount = answerCount
        self.listsPrompts = listsPrompts
        self.hasOptions = hasOptions
        self.streams = streams
        self.isStored = isStored
        statesMore = answerCount != nil || listsPrompts || hasOptions
        self.encodesVectors = encodesVectors
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
        self.names = MemberNames(names)
    }

    /// Of a form, whose model is all that is read.
    static let form = RequestShape(streams: .ignored)

    static let chat = RequestShape(
        needsMessages: true, countsChoices: true, asksUsage: true,
        tokenLimits: ["max_tokens", "max_completion_tokens"])

    /// Whether ``StatedOutput`` reads members of its own.
    let statesMore: Bool

    /// Whether responses are text whose length a request can limit.
    var limitsText: Bool { !tokenLimits.isEmpty || hasOptions }
}
