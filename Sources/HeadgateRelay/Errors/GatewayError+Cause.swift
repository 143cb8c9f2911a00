internal import HeadgateHTTP

extension GatewayError {
    /// Reason for an error, from a closed list. It determines everything that the gateway decides about the error
    /// (``consequences``). Codes and messages are only for readers, and an upstream writes its own. The causes of
    /// transport failures have the names of their ``TransportError/Kind``.
    package enum Cause: Hashable, Sendable {
        // The caller's request.
        case invalidRequest
        /// The request needs something that the format of a target lacks; another target might have it.
        case untranslatable
        case bodyTooLarge
        /// The prompt does not fit the context of the model.
        case contextOverflow
        /// No key, a wrong one, or too many wrong ones.
        case keyRefused
        /// The caller, or the origin of its page, may not do this.
        case notAllowed
        /// The caller, its group or the model has reached a limit.
        case limitReached
        case unknownRoute
        case unknownModel
        /// There is no such stored response or conversation.
        case unknownResponse
        /// The request did not arrive in time.
        case requestTimeout
        /// Cancelled, for example because the client disconnected.
        case cancelled

        // Reaching the upstream.
        case connect
        /// There is no route to the upstream, or its name does not resolve: the machine might be offline.
        case unreachable
        case connectTimeout
        case tls
        /// The upstream is being started.
        case notReady
        /// Too many requests wait for the upstream's program, or this one has waited for too long.
        case busy
        /// The command that prints the upstream's key has failed, or has not finished.
        case noKey
        /// The upstream cannot work on this machine.
        case unavailable
        /// No target of the model accepts requests now.
        case noTarget

        // The upstream's response.
        case responseTimeout
        /// A stream sent no content before the deadline for it.
        case firstContentTimeout
        /// The total deadline of the request, across all its attempts, passed.
        case totalTimeout
        case closedBeforeResponse
        /// A status other than success, in 16 bits to keep errors small: they are passed through many calls.
        case upstreamStatus(UInt16)
        /// The account has no credit: a retry does not help, but another key might have its own.
        case quotaExhausted
        /// An error in a response with a success status.
        case errorInSuccess
        /// The upstream sent nothing within the silence deadline.
        case silenceTimeout
        case truncatedBody
        /// A stream without any event.
        case emptyStream
        case notStream
        case contentType
        case invalidJSON
        case oversize
        /// The model wrote no complete summary. The client controls that, so it does not count against the target.
        case noSummary
        case encoding
        case protocolViolation

        // The gateway.
        case shutdown
        case connectionLimit
        /// The loop of the request has more work than it can do.
        case overloaded
        case bodyMemory
        /// A store of the gateway cannot be read or written.
        case storeFailed
        case gatewayFailed
        /// A middleware around the transport failed.
        case middleware
        /// The gateway replays recordings, and none matches the request.
        case notRecorded
    }
}

extension GatewayError.Cause {
    static func upstreamStatus(_ status: Int) -> GatewayError.Cause {
        .upstreamStatus(UInt16(clamping: status))
    }

    var origin: GatewayError.Origin { consequences.origin }
    /// End in the outcome of a request with this error.
    var end: RequestEnd { consequences.end }
    var retry: RetryDecision { consequences.retry }
}

/// Whether another attempt can succeed, while nothing has been sent downstream.
enum RetryDecision: Sendable {
    case never
    /// Any target can be tried, even the same one.
    case sameTarget
    /// Only another key or another target can be tried.
    case nextTarget

    /// - Parameter status: the status of the upstream, not a success.
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
