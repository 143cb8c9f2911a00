#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Descriptions of a generated client's errors, which an app can display unchanged. Details from the system or the
// server are in the errors themselves, for the log.

extension TransportError: LocalizedError {
    /// Description of the error in a sentence.
    public var errorDescription: String? {
        switch kind {
        case .notReady: "The server is being started."
        case .busy: "The server is busy. Try again later."
        case .noKey: "The server has no key for its provider now."
        case .unavailable: "The server does not work on this machine."
        case .connect, .closedBeforeResponse: "The server cannot be reached."
        case .unreachable: "There is no way to the server: perhaps this machine is offline."
        case .connectTimeout, .responseTimeout, .silenceTimeout: "The server took too long to answer."
        case .tls: "No secure connection to the server could be made."
        case .encoding, .protocolViolation: "The server's answer cannot be read."
        case .truncatedBody: "The answer broke off before it was complete."
        case .notRecorded: "No recording answers this request."
        case .middleware: "The request could not be sent."
        case .cancelled: "The request was cancelled."
        }
    }
}

extension UnexpectedResponse: LocalizedError {
    /// Description of the difference in a sentence.
    public var errorDescription: String? { description }
}

extension UnimplementedOperation: LocalizedError {
    /// Description of the failure in a sentence.
    public var errorDescription: String? { description }
}

extension RequestViolation: LocalizedError {
    /// Description of the difference in a sentence.
    public var errorDescription: String? { description }
}
