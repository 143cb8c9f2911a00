internal import HeadgateHTTP

extension GatewayError {
    /// What happened, as one of a closed list. Everything that the gateway decides about an error follows from it alone
    /// (``consequences``): codes and messages are for readers, and an upstream writes its own.
    package enum Cause: Hashable, Sendable {
        // The caller's request.
        case invalidRequest
        /// The request needs something that the format of a target does not have; another target may have it.
        case untranslatable
        case bodyTooLarge
        /// The prompt does not fit the context of the model.
        case contextOverflow
        /// No key, a wrong one, or too many wrong ones.
        case keyRefused
        /// The caller, or the origin of its page, may not do this.
        case notAllowed
        /// The caller, its group or the model has used what it may.
        case limitReached
        case unknownRoute
        case unknownModel
        /// A stored response, or a conversation.
        case unknownResponse
        /// The request did not arrive in time.
        case requestTimeout
        /// Cancelled: the client has left.
        case cancelled

        // Reaching the upstream.
        case connect
        /// There is no route to it, or no such name can be found: the machine may be without a network.
        case unreachable
        case connectTimeout
        case tls
        /// It is being started.
        case starting
        /// It cannot work on this machine.
        case unavailable
        /// No target of the model takes requests now.
        case noTarget

        // The upstream's response.
        case firstByteTimeout
        /// A stream without content until the deadline for it.
        case firstContentTimeout
        /// The deadline of the whole request, with all its attempts.
        case totalTimeout
        case disconnected
        /// A status that is not a success. In 16 bits, which keeps errors small: they are passed through many calls.
        case upstreamStatus(UInt16)
        /// An account without credit: retrying does not help, but another key may have its own.
        case quotaExhausted
        /// An error in a response with a success status.
        case errorInSuccess
        /// It sent nothing within the silence deadline.
        case stall
        case truncated
        /// A stream without any event.
        case emptyStream
        case notStream
        case contentType
        case invalidJSON
        case oversize
        case encoding
        case protocolViolation

        // The gateway.
        case shutdown
        case connectionLimit
        case bodyMemory
        /// What the gateway keeps cannot be read.
        case storeFailed
        case gatewayFailed
        /// Recordings are replayed, and none answers the request.
        case notRecorded
    }
}

extension GatewayError.Cause {
    static func upstreamStatus(_ status: Int) -> GatewayError.Cause { .upstreamStatus(UInt16(clamping: status)) }

    package var origin: GatewayError.Origin { consequences.origin }
    /// The end that a request with this error has in its outcome.
    var end: RequestEnd { consequences.end }
    package var retry: RetryDecision { consequences.retry }
}

/// Whether another attempt may succeed, while nothing has been sent downstream.
package enum RetryDecision: Sendable {
    case never
    /// Any attempt may, even at the same target.
    case sameTarget
    /// Only one with another key or at another target.
    case nextTarget

    /// - Parameter status: of the upstream, not a success.
    init(upstreamStatus status: UInt16) {
        self =
            switch status {
            case 408, 409, 425, 429, 500...: .sameTarget
            // The gateway's key, account, base URL or name for the model is at fault.
            case 300..<400, 401, 402, 403, 404: .nextTarget
            default: .never
            }
    }
}
