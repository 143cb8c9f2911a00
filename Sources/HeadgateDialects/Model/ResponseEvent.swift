/// Part of a streamed response, independent of the format.
///
/// The order is that of the upstream. Text, refusal and reasoning arrive as deltas; a different kind of content ends
/// the one before it. Fragments of several tool calls can alternate and are identified by their index.
package enum ResponseEvent: Equatable, Sendable {
    /// The first event, which occurs once.
    case started(id: String?, model: String?)
    case text(String)
    case refusal(String)
    case reasoning(String)
    /// End of the reasoning before it. More reasoning begins a new piece.
    case reasoningSeal(ReasoningSeal)
    /// - Parameter index: Number of the call in the response, from 0.
    case toolCall(index: Int, id: String, name: String, isCustom: Bool)
    case toolArguments(index: Int, String)
    /// Members that the provider adds to a call and wants back. Most arrive before the call itself.
    case toolMembers(index: Int, JSONObject)
    /// The whole summary of a conversation, for clients that have requested a compaction.
    case compaction(String)
    /// Usage so far. Later reports replace earlier ones.
    case usage(TokenUsage)
    /// End of the content. Only usage follows, unless the upstream spreads the response over several choices: then more
    /// content and another end can follow.
    case finished(ResponseEnd)
    /// The stream's own end: the response is complete.
    case ended
    /// An error that the upstream reported in its format.
    case failed

    /// Whether the event is a part of the response itself, which may not follow the response's end.
    var isContent: Bool {
        switch self {
        case .text, .refusal, .reasoning, .reasoningSeal, .toolCall, .toolArguments, .toolMembers, .compaction,
            .finished:
            true
        case .started, .usage, .ended, .failed: false
        }
    }
}
