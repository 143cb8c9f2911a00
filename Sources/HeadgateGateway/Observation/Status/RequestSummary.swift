internal import HeadgateHTTP
internal import HeadgateRelay

/// Summary of one request for `/status`: names and counts, without content and without the client's address.
struct RequestSummary: Sendable {
    /// Nanoseconds since 1970.
    let endedAt: Int64
    let id: String
    let operation: String
    let keyName: String?
    /// Name as configured, or the escaped name of an unknown model.
    let model: String?
    let upstream: String?
    /// Attempts in order; empty if only one was possible.
    let attempts: [AttemptSummary]
    let status: Int
    let upstreamStatus: Int?
    let end: Outcome.End
    let errorCode: String?
    let finishReason: String?
    let notes: OutcomeNotes
    let isStream: Bool
    /// Time to the first content, in seconds like ``duration``.
    let timeToFirstContent: Double?
    let duration: Double
    let promptTokens: Int?
    let completionTokens: Int?

    /// - Parameter outcome: read, not changed.
    init(_ outcome: inout Outcome, endedAt: Int64) {
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
