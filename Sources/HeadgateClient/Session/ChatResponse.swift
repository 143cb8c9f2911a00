/// A response of a session, as far as it has arrived.
public struct ChatResponse: Hashable, Sendable {
    /// Text so far of all rounds of tool calls, separated by empty lines.
    public var content = ""
    /// Reasoning of the model so far.
    public var reasoning = ""
    /// The model's refusal so far, if it is separate from the text.
    public var refusal = ""
    /// Tool calls so far. Each is added once its arguments are complete.
    public var toolCalls: [ToolCall] = []
    /// The reason why the model stopped; nil until then, and in an interrupted response.
    public var finishReason: FinishReason?
    /// Tokens used by all rounds, if the server reports them.
    public var usage: TokenUsage?
    /// Whether the response is complete.
    public var isComplete = false
    /// Text of the last round.
    private(set) var roundText = ""
    private var round = 0

    /// Creates an empty response.
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
    /// Position of a reader in a response.
    struct Place: Sendable {
        var round = 0
        /// Bytes of this round's text.
        var length = 0
        /// Bytes of this round's refusal.
        var refusalLength = 0
    }

    /// Added text, including the empty line that separates it from an earlier round.
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
