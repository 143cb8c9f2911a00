public import HeadgateHTTP

/// Why a request of this library failed. A cancelled task throws `CancellationError` instead.
public enum HeadgateClientError: Error, Sendable {
    /// A base URL cannot be used; the reason says how to write one.
    case invalidURL(String, reason: String)
    /// The server did not respond, or did not continue, in time.
    case timedOut(TransportError)
    /// No connection, or one that broke off outside of a stream's data.
    case connectionFailed(TransportError)
    /// The server responded with an error.
    case status(StatusFailure)
    /// An error arrived inside a stream, after its head had said that all is well.
    case streamFailed(APIError)
    /// A stream ended without its end marker and before every choice had its finish reason: what came is not all.
    case streamTruncated(TransportError?)
    /// The response violates the protocol; the failure has the place.
    case decoding(DecodingFailure)
    /// The server responded with success, but with something else than was asked for.
    case unexpectedResponse(String)
    /// The session is still responding to an earlier prompt: wait for it, or cancel it.
    case alreadyResponding
    /// The request cannot be written, such as one with a number that is none; nothing was sent.
    case invalidRequest(reason: String)
    /// The model declined instead of returning the requested value.
    case refused(String)
    /// The answer was cut, by the limit of tokens or a filter, before the value that was asked for was whole.
    case answerCut(FinishReason)
    /// The model was still calling tools after this many rounds.
    case tooManyToolRounds(limit: Int)
    /// The response was cut, by the limit of tokens or a filter, when it had begun to call tools. None of them was
    /// called.
    case toolCallsCut(FinishReason)
    /// A tool threw.
    case toolFailed(name: String, any Error)
}

extension HeadgateClientError {
    /// Whether and when to retry the same request; nil if a retry changes nothing.
    ///
    /// Nil for a truncated stream: an app that has shown part of it has to decide.
    public var retryHint: RetryHint? {
        switch self {
        case .status(let failure): failure.retryHint.isRetryable ? failure.retryHint : nil
        case .timedOut, .connectionFailed: RetryHint(isRetryable: true, delay: nil)
        default: nil
        }
    }

    /// Error object of the server, if it sent one.
    public var apiError: APIError? {
        switch self {
        case .status(let failure): failure.error
        case .streamFailed(let error): error
        default: nil
        }
    }
}

extension HeadgateClientError: CustomStringConvertible {
    /// One sentence for a log; quotes the server's message, but no part of a conversation.
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
