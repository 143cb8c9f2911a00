public import HeadgateHTTP

/// The reason why a request of this library failed. A canceled task throws `CancellationError` instead.
public enum HeadgateClientError: Error, Sendable {
    /// A base URL is invalid. The reason describes the problem.
    case invalidURL(String, reason: String)
    /// The server did not respond or continue in time.
    case timedOut(TransportError)
    /// The connection failed, or broke outside of a stream's data.
    case connectionFailed(TransportError)
    /// The server responded with an error.
    case status(StatusFailure)
    /// An error arrived inside a stream whose status indicated success.
    case streamFailed(APIError)
    /// A stream ended without its end marker and before every choice had a finish reason, so it is incomplete.
    case streamTruncated(TransportError?)
    /// The response violates the protocol. The failure has the location.
    case decoding(DecodingFailure)
    /// The response indicated success, but had unexpected content. The text describes it.
    case unexpectedResponse(String)
    /// The session is still responding to an earlier prompt. Wait for it, or cancel it.
    case alreadyResponding
    /// The request cannot be encoded, for example because a number is not finite. Nothing was sent.
    case invalidRequest(reason: String)
    /// The model declined instead of returning the requested value.
    case refused(String)
    /// A token limit or a filter cut the reply before the requested value was complete.
    case answerCut(FinishReason)
    /// The model was still calling tools after the maximum number of rounds.
    case tooManyToolRounds(limit: Int)
    /// A token limit or a filter cut the response after it had begun to call tools. None of them was called.
    case toolCallsCut(FinishReason)
    /// A tool threw an error.
    case toolFailed(name: String, any Error)
}

extension HeadgateClientError {
    /// Whether and when to retry the same request; nil if a retry would not help.
    ///
    /// Nil for a truncated stream, because an app that has displayed part of it must decide.
    public var retryHint: RetryHint? {
        switch self {
        case .status(let failure): failure.retryHint.isRetryable ? failure.retryHint : nil
        case .timedOut, .connectionFailed: RetryHint(isRetryable: true, delay: nil)
        default: nil
        }
    }

    /// The server's error object; nil if it sent none.
    public var apiError: APIError? {
        switch self {
        case .status(let failure): failure.error
        case .streamFailed(let error): error
        default: nil
        }
    }
}

extension HeadgateClientError: CustomStringConvertible {
    /// One sentence for a log. It can quote the server's message, but no part of a conversation.
    public var description: String {
        switch self {
        case .invalidURL(let text, let reason): "The base URL '\(text)' cannot be used: \(reason)."
        case .timedOut(let error): "The server did not answer in time (\(error.summary))."
        case .connectionFailed(let error): "The connection to the server failed (\(error.summary)). Is it running?"
        case .status(let failure): failure.description
        case .streamFailed(let error): "The stream broke off with an error: \(error)"
        case .streamTruncated(let error):
            "The stream ended before the answer was complete" + (error.map { " (\($0.summary))." } ?? ".")
        case .decoding(let failure): failure.description
        case .unexpectedResponse(let what): "The server answered with \(what). Is the base URL right?"
        case .alreadyResponding: "The session is still answering: wait for the answer, or cancel it."
        case .invalidRequest(let reason): "The request cannot be sent: \(reason)."
        case .refused: "The model declined to answer."
        case .answerCut(let reason):
            "The answer was cut ('\(reason.rawValue)') before it was whole. Allow it more tokens, or ask for less."
        case .tooManyToolRounds(let limit): "The model asked for tools more than \(limit) times in one response."
        case .toolCallsCut(let reason):
            "The answer was cut ('\(reason.rawValue)') while it called tools, so none was called. Allow it more "
                + "tokens, or ask for less."
        case .toolFailed(let name, _): "The tool '\(name)' failed."
        }
    }
}

extension TransportError {
    var summary: String { detail.isEmpty ? "\(kind)" : "\(kind): \(detail)" }
}
