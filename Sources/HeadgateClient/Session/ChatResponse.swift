/// A response of a session, as far as it has come.
public struct ChatResponse: Hashable, Sendable {
    /// All text so far, over all rounds of tools; rounds are separated by an empty line.
    public var content = ""
    /// All that a reasoning model has thought so far.
    public var reasoning = ""
    /// The model's reason to decline so far, if it is sent apart from the text.
    public var refusal = ""
    /// The calls of tools so far, each once its arguments are whole.
    public var toolCalls: [ToolCall] = []
    /// Why the model stopped; nil until it has, and in a response that was interrupted.
    public var finishReason: FinishReason?
    /// Tokens used by all rounds, if the server reports them.
    public var usage: TokenUsage?
    /// Whether this is the whole response.
    public var isComplete = false
    /// The text of the last round alone.
    private(set) var roundText = ""
    private var round = 0

    /// The empty response, of which nothing has come.
    public init() {}

    mutating func apply(_ update: ResponseUpdate) {
        content += update.text
        if !update.isEnd, update.place.round != round { (round, roundText) = (update.place.round, "") }
        roundText += update.text
        reasoning += update.reasoning
        refusal += update.refusal
        toolCalls += update.toolCalls
        finishReason = update.finishReason ?? finishReason
        usage = update.usage ?? usage
        isComplete = update.isEnd
    }
}

/// Addition of one step to a response.
struct ResponseUpdate: Sendable {
    /// How far into the response a reader is.
    struct Place: Sendable {
        var round = 0
        /// Bytes of this round's text.
        var length = 0
        /// Bytes of this round's refusal.
        var refusalLength = 0
    }

    /// With the empty line that separates it from an earlier round.
    var text = ""
    var reasoning = ""
    var refusal = ""
    var toolCalls: [ToolCall] = []
    var finishReason: FinishReason?
    /// Tokens used by all rounds so far.
    var usage: TokenUsage?
    var isEnd = false
    /// Position of the reader after this update.
    var place = Place()

    /// Approximate memory in bytes.
    var weight: Int { 64 + text.utf8.count + reasoning.utf8.count + refusal.utf8.count }
}
