#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Texts that an app can display unchanged: the error, its reason, and advice. The reason can quote the server. The
/// other texts contain no part of a request.
extension HeadgateClientError: LocalizedError {
    /// Description of the error in a sentence.
    public var errorDescription: String? {
        switch self {
        case .invalidURL: "The address of the server cannot be used."
        case .timedOut: "The server took too long to answer."
        case .connectionFailed: "The server cannot be reached."
        case .status(let failure): failure.sentence
        case .streamFailed: "The server stopped in the middle of its answer."
        case .streamTruncated: "The answer broke off before it was complete."
        case .decoding, .unexpectedResponse: "The server's answer cannot be read."
        case .alreadyResponding: "An answer is still being given."
        case .invalidRequest: "The request cannot be sent."
        case .refused: "The model declined to answer."
        case .answerCut, .toolCallsCut: "The answer was cut before it was complete."
        case .tooManyToolRounds: "The model did not come to an end with its tools."
        case .toolFailed(let name, _): "The tool “\(name)” failed."
        }
    }

    /// Reason for the error; nil if only the description is known.
    public var failureReason: String? {
        switch self {
        case .invalidURL(_, let reason), .invalidRequest(let reason): reason
        case .status(let failure): failure.error?.message
        case .streamFailed(let error): error.message
        case .refused(let text): text.isEmpty ? nil : text
        case .toolFailed(_, let error): (error as? any LocalizedError)?.errorDescription
        default: nil
        }
    }

    /// Advice for the user in a sentence; nil if there is none.
    public var recoverySuggestion: String? {
        switch self {
        case .invalidURL: "Correct the address in the settings."
        case .timedOut, .streamFailed, .streamTruncated: "Try again."
        case .connectionFailed: "Check the network, and whether the server is running."
        case .status(let failure): failure.suggestion
        case .unexpectedResponse: "Check the address in the settings."
        case .alreadyResponding: "Wait for it, or stop it."
        case .answerCut, .toolCallsCut: "Allow a longer answer, or ask for less."
        case .decoding, .invalidRequest, .refused, .tooManyToolRounds, .toolFailed: nil
        }
    }
}

// Descriptions of parts of these errors, for apps that display them separately.

extension StatusFailure: LocalizedError {
    /// Meaning of the status in a sentence.
    public var errorDescription: String? { sentence }
    /// Message from the server.
    public var failureReason: String? { error?.message }
    /// Advice for the user in a sentence.
    public var recoverySuggestion: String? { suggestion }
}

extension APIError: LocalizedError {
    /// Message from the server.
    public var errorDescription: String? { message }
}

extension DecodingFailure: LocalizedError {
    /// A fixed sentence that does not quote the response.
    public var errorDescription: String? { "The server's answer cannot be read." }
}

extension StatusFailure {
    fileprivate var sentence: String {
        switch status {
        case 401: "The server does not accept the key."
        case 403: "The key does not allow this."
        case 404: "The server does not have what was asked for."
        case 408, 504: "The server took too long to answer."
        case 413: "The request is too large."
        case 429: "The server allows no more requests at the moment."
        case 400..<500: "The server does not accept the request."
        default: "The server has a problem."
        }
    }

    fileprivate var suggestion: String? {
        switch status {
        case 401, 403: "Check the key in the settings."
        case 404: "Choose another model, or check the address in the settings."
        case 413: "Send less, or begin a new conversation."
        default: retryHint.isRetryable ? StatusFailure.suggestion(after: retryHint.delay) : nil
        }
    }

    private static func suggestion(after delay: Duration?) -> String {
        guard let seconds = delay?.components.seconds, seconds > 0 else { return "Try again in a moment." }
        return seconds < 120 ? "Try again in \(seconds + 1) seconds." : "Try again in \(seconds / 60 + 1) minutes."
    }
}
