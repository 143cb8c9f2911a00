internal import HeadgateHTTP
internal import HeadgateRelay

/// What `/status` shows of one request. Names and counts: no content, and no address of the client.
struct RequestSummary: Sendable {
    /// Nanoseconds since 1970.
    let endedAt: Int64
    let id: String
    let operation: String
    let keyName: String?
    /// As configured, or the escaped name of an unknown model.
    let model: String?
    let upstream: String?
    /// In their order; empty where a single one could be made.
    let attempts: [AttemptSummary]
    let status: Int
    let upstreamStatus: Int?
    let end: Outcome.End
    let errorCode: String?
    let finishReason: String?
    /// What few requests have.
    let notes: OutcomeNotes
    let isStream: Bool
    /// Seconds.
    let timeToFirstContent: Double?
    let duration: Double
    let promptTokens: Int?
    let completionTokens: Int?

    init(_ outcome: borrowing Outcome, endedAt: Int64) {
        self.endedAt = endedAt
        id = outcome.requestID
        operation = outcome.operation
        keyName = outcome.keyName
        model = outcome.model ?? outcome.requestedModel
        upstream = outcome.upstream
        attempts = outcome.attempts
        status = outcome.status
        upstreamStatus = outcome.upstreamStatus
        end = outcome.end
        errorCode = outcome.errorCode
        finishReason = outcome.finishReason
        notes = outcome.notes
        isStream = outcome.isStream
        timeToFirstContent = outcome.timeToFirstContent
        duration = outcome.duration
        promptTokens = outcome.promptTokens
        completionTokens = outcome.completionTokens
    }
}
