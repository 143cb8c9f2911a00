internal import HeadgateHTTP
internal import HeadgateRelay

/// An attempt at an upstream that is over, before it is known what became of its request.
struct EndedAttempt {
    enum Ending: Equatable {
        /// The response was read to its end.
        case complete
        /// It had a status of 400 or above.
        case status(Int)
        /// There was no response, or not all of it; a bounded word says why.
        case failed(String)
        /// The gateway has given it up.
        case cancelled
    }

    var span: Span
    let upstream: String
    let ending: Ending
    let hasResponse: Bool

    /// Adds what the outcome knows.
    ///
    /// - Parameters:
    ///   - summary: what the request noted of the attempt, where it may have several.
    ///   - isAnswering: whether its answer is the client's.
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
        // What came was no answer, or broke off inside.
        if isAnswering || isOnly, outcome.isUpstreamsFault, let label = outcome.errorLabel { return label }
        guard ending == .cancelled else { return nil }
        return outcome.end == .finished ? "cancelled" : outcome.end.rawValue
    }
}

extension Span {
    /// Sets what the answer was.
    mutating func setAnswer(_ outcome: inout Outcome) {
        set(TraceAttribute.finishReasons, outcome.finishReason.map { .texts([$0]) })
        if !outcome.notes.isEstimated {
            set(TraceAttribute.inputTokens, outcome.promptTokens)
            set(TraceAttribute.outputTokens, outcome.completionTokens)
        }
        set(TraceAttribute.cacheReads, outcome.notes.cache.read)
        set(TraceAttribute.cacheWrites, outcome.notes.cache.written)
    }
}
