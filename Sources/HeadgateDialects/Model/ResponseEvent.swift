/// Part of a streamed response, independent of the format.
///
/// The order is that of the upstream. Text, refusal and reasoning arrive as deltas; a different kind of content ends
/// the one before it. Fragments of several tool calls can alternate and are identified by their index.
package enum ResponseEvent: Equatable, Sendable {
    /// First, once.
    case started(id: String?, model: String?)
    case text(String)
    case refusal(String)
    case reasoning(String)
    /// Ends the reasoning before it; more reasoning begins another one.
    case reasoningSeal(ReasoningSeal)
    /// - Parameter index: counts the response's calls, from 0.
    case toolCall(index: Int, id: String, name: String, isCustom: Bool)
    case toolArguments(index: Int, String)
    /// Members that the provider puts on a call and wants back; most come before the call itself.
    case toolMembers(index: Int, JSONObject)
    /// The whole summary of a conversation, for clients that have requested a compaction.
    case compaction(String)
    /// Usage so far; later reports replace earlier ones.
    case usage(TokenUsage)
    /// Nothing but usage follows, unless the upstream spreads the response over several choices: then more content and
    /// another end can.
    case finished(ResponseEnd)
    /// The stream's own end: the response is complete.
    case ended
    /// The event reports an error, in the form of its format.
    case failed

    /// Whether it is a part of the response itself, of which none may follow its end.
    var isContent: Bool {
        switch self {
        case .text, .refusal, .reasoning, .reasoningSeal, .toolCall, .toolArguments, .toolMembers, .compaction,
            .finished:
            true
        case .started, .usage, .ended, .failed: false
        }
    }
}
