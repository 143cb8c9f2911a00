/// Which members of its requests a route reads. `model` is one of them everywhere.
///
/// An object, as every request has one: a copy of so many members costs more than all that is read by it.
final class RequestShape: Sendable {
    enum Streams: Sendable {
        /// `stream: true` asks for a stream.
        case asked
        /// The member means nothing here.
        case ignored
        /// There is no stream on this route.
        case refused
        /// There is none either, and `stream_format` is what would ask for it.
        case refusedByFormat
    }

    /// Whether `messages` must be there, an array.
    let needsMessages: Bool
    /// Whether `n` asks for several answers in one stream.
    let countsChoices: Bool
    /// Whether streams are asked for usage with `stream_options`.
    let asksUsage: Bool
    /// The members that bound the length of an answer.
    let tokenLimits: [StaticString]
    let streams: Streams
    /// Whether answers are kept upstream, and a request may go on from one: by `previous_response_id`, or within a
    /// `conversation`.
    let isStored: Bool
    /// Of all members that it reads.
    let names: MemberNames

    init(
        needsMessages: Bool = false, countsChoices: Bool = false, asksUsage: Bool = false,
        tokenLimits: [StaticString] = [], streams: Streams = .asked, isStored: Bool = false
    ) {
        self.needsMessages = needsMessages
        self.countsChoices = countsChoices
        self.asksUsage = asksUsage
        self.tokenLimits = tokenLimits
        self.streams = streams
        self.isStored = isStored
        var names = ["model"] + tokenLimits.map(\.description)
        if needsMessages { names.append("messages") }
        if countsChoices { names.append("n") }
        if asksUsage { names.append("stream_options") }
        switch streams {
        case .asked, .refused: names.append("stream")
        case .refusedByFormat: names.append("stream_format")
        case .ignored: break
        }
        if isStored { names += ["previous_response_id", "conversation"] }
        self.names = MemberNames(names)
    }

    static let chat = RequestShape(
        needsMessages: true, countsChoices: true, asksUsage: true, tokenLimits: ["max_tokens", "max_completion_tokens"])
}
