internal import HTTPTypes
package import HeadgateHTTP

extension GatewayError {
    /// Error for the client after a kind of transport failure, before a response and inside a stream.
    private struct TransportFailure {
        let status: Int
        let code: String
        let cause: Cause
        /// Message inside a stream, after part of it might have been sent downstream; nil for the general one that the
        /// text so far is not complete.
        let streamMessage: String?
        /// Seconds until a retry can help; nil if that is not known.
        let retryAfter: Int?
        /// Makes the message before a response from the name of the upstream.
        let message: (String) -> String

        init(
            _ status: Int, _ code: String, _ cause: Cause, retryAfter: Int? = nil,
            inStream streamMessage: String? = nil, _ message: @escaping (String) -> String
        ) {
            (self.status, self.code, self.cause) = (status, code, cause)
            (self.streamMessage, self.retryAfter, self.message) = (streamMessage, retryAfter, message)
        }
    }

    /// Converts a failure of the transport. This table is the only place that does.
    private static func failure(_ error: TransportError) -> TransportFailure {
        let detail = error.detail
        // A stream can be committed before the upstream's program can serve it.
        let notServed = "The upstream's program did not get to this request: \(detail)."
        return switch error.kind {
        case .notReady:
            TransportFailure(503, "upstream_starting", .notReady, retryAfter: 2, inStream: notServed) { _ in
                "\(detail). Try again in a moment."
            }
        case .busy:
            TransportFailure(503, "upstream_busy", .busy, retryAfter: 10, inStream: notServed) {
                "The upstream '\($0)' is busy: \(detail). Try again in 10 s."
            }
        case .noKey:
            TransportFailure(503, "upstream_no_key", .noKey, retryAfter: 5) {
                "The gateway has no key for the upstream '\($0)' now: \(detail). Try again in a moment."
            }
        case .unavailable:
            TransportFailure(502, "upstream_unavailable", .unavailable, inStream: notServed) { _ in "\(detail)." }
        case .connect: TransportFailure(502, "upstream_connect", .connect, unreached)
        case .unreachable: TransportFailure(502, "upstream_connect", .unreachable, unreached)
        case .connectTimeout: TransportFailure(502, "upstream_connect", .connectTimeout, unreached)
        case .tls:
            TransportFailure(502, "upstream_tls", .tls) {
                "There is no secure connection to the upstream '\($0)': \(detail)."
            }
        case .encoding:
            TransportFailure(
                502, "upstream_encoding", .encoding,
                inStream: "The upstream's answer stopped being decodable: \(detail)."
            ) {
                "The upstream '\($0)' sent an answer in a content encoding that cannot be decoded: \(detail)."
            }
        case .responseTimeout: TransportFailure(504, "upstream_timeout", .responseTimeout, inStream: silent, late)
        case .silenceTimeout: TransportFailure(504, "upstream_timeout", .silenceTimeout, inStream: silent, late)
        case .closedBeforeResponse: TransportFailure(502, "upstream_disconnected", .closedBeforeResponse, closed)
        case .truncatedBody:
            TransportFailure(502, "upstream_incomplete", .truncatedBody) {
                "The upstream '\($0)' broke off in the middle of its answer."
            }
        case .protocolViolation:
            TransportFailure(
                502, "upstream_protocol", .protocolViolation,
                inStream: "The upstream sent something that is not valid HTTP."
            ) { "The upstream '\($0)' sent something that is not valid HTTP." }
        case .notRecorded:
            TransportFailure(404, "not_recorded", .notRecorded) { _ in
                "The gateway replays recordings, and \(detail)."
            }
        case .middleware:
            TransportFailure(500, "middleware_failed", .middleware, inStream: middleware) { _ in middleware }
        case .cancelled: TransportFailure(502, "upstream_disconnected", .cancelled, closed)
        }
    }

    private static func unreached(_ name: String) -> String {
        "The upstream '\(name)' cannot be reached. Is it running, and is its base_url right? The gateway's log says "
            + "what was tried."
    }

    private static func closed(_ name: String) -> String {
        "The upstream '\(name)' closed the connection without an answer."
    }

    private static func late(_ name: String) -> String { "The upstream '\(name)' did not answer in time." }

    private static let silent = "The upstream fell silent in the middle of its answer."

    private static let middleware = "A middleware of the gateway failed. Its log says which error it threw."

    /// Returns the error for a failure before the first byte of a response.
    package static func transport(_ error: TransportError, upstream name: String) -> GatewayError {
        let failure = failure(error)
        var result = upstream(
            failure.status, failure.code, failure.message(name), cause: failure.cause, detail: error.detail)
        if failure.cause == .notRecorded { result.type = "invalid_request_error" }
        if let seconds = failure.retryAfter { result.headerFields[.retryAfter] = "\(seconds)" }
        return result
    }

    /// Returns the error for a failure inside a stream, after part of it might have been sent downstream.
    static func stream(_ error: any Error) -> GatewayError {
        let error = TransportError(anyOf: error)
        let failure = failure(error)
        guard let message = failure.streamMessage else {
            return incompleteStream(failure.cause == .cancelled ? .cancelled : .truncatedBody, detail: error.detail)
        }
        return upstream(failure.status, failure.code, message, cause: failure.cause, detail: error.detail)
    }
}

extension TransportError {
    /// Converts an error that ended a body. An error that is not the transport's comes from a middleware's stage.
    package init(anyOf error: any Error) {
        self = error as? TransportError ?? TransportError(.middleware, "\(type(of: error))")
    }
}
