/// Which members of its requests a route reads. `model` is one of them everywhere.
struct RequestShape: Sendable {
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
    var needsMessages = false
    /// Whether `n` asks for several answers in one stream.
    var countsChoices = false
    /// Whether streams are asked for usage with `stream_options`.
    var asksUsage = false
    var streams = Streams.asked

    static let chat = RequestShape(needsMessages: true, countsChoices: true, asksUsage: true)
}
