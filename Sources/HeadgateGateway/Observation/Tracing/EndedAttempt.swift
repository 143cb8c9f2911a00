internal import HeadgateHTTP
internal import HeadgateRelay

/// A finished attempt at an upstream, while the outcome of its request is not known yet.
struct EndedAttempt {
    enum Ending: Equatable {
        /// The response was read to its end.
        case complete
        /// The response had a status of 400 or above.
        case status(Int)
        /// The response is missing or incomplete; the value is a bounded word for the reason.
        case failed(String)
        /// The gateway cancelled the attempt.
        case cancelled
    }

    var span: Span
    let upstream: String
    let ending: Ending
    let hasResponse: Bool

    /// Completes the span with facts from the outcome of the request.
    ///
    /// - Parameters:
    ///   - summary: the request's summary of this attempt; nil if it has none.
    ///   - isAnswering: whether the client got the response of this attempt.
    ///   - isOnly: whether the request made no other attempt.
    mutating func settle(_ summary: AttemptSummary?, _ outcome: inout Outcome, isAnswering: Bool, isOnly: Bool) {
        let error = error(summary, &outcome, isAnswering: isAnswering, isOnly: isOnly)
        if let error {
            span.set(TraceAttribute.errorType, error)
            span.error = error
        }
        if isAnswering { span.setAnswer(&outcome) }
    }

    private func error(
        _ summary: AttemptSummary?, _ outcome: inout Outcome, isAnswering: Bool, isOnly: Bool
    ) -> String? {
        switch ending {
        case .status(let status): return "\(status)"
        case .failed(let word): return word
        case .complete, .cancelled: break
        }
        if let result = summary?.result, result != AttemptSummary.ok { return result }
        // The response was not a valid reply, or broke off partway.
        if isAnswering || isOnly, outcome.isUpstreamsFault, let label = outcome.errorLabel { return label }
        guard ending == .cancelled else { return nil }
        return outcome.end == .finished ? "cancelled" : outcome.end.rawValue
    }
}

extension Span {
    /// Sets the finish reason and the token counts of the response.
    mutating func setAnswer(_ outcome: inout Outcome) {
        set(TraceAttribute.finishReasons, outcome.finishReason.map { .texts([$0]) })
        if !outcome.notes.isEstimated {
            set(TraceAttribute.inputTokens, outcome.promptTokens)
            set(TraceAttribute.outputTokens, outcome.completionTokens)
        }
        set(TraceAttribute.cacheReads, outcome.notes.usage.cacheRead)
        set(TraceAttribute.cacheWrites, outcome.notes.usage.cacheWritten)
    }
}
