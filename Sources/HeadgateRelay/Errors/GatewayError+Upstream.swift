internal import HTTPTypes
package import HeadgateHTTP

extension GatewayError.Cause {
    /// Converts a failure on the way to an upstream and back.
    package init(_ kind: TransportError.Kind) {
        self =
            switch kind {
            case .notReady: .starting
            case .busy: .busy
            case .noKey: .noKey
            case .unavailable: .unavailable
            case .connect: .connect
            case .unreachable: .unreachable
            case .connectTimeout: .connectTimeout
            case .tls: .tls
            case .encoding: .encoding
            case .responseTimeout: .firstByteTimeout
            case .silenceTimeout: .stall
            case .closedBeforeResponse: .disconnected
            case .truncatedBody: .truncated
            case .protocolViolation: .protocolViolation
            case .notRecorded: .notRecorded
            case .middleware: .gatewayFailed
            case .cancelled: .cancelled
            }
    }
}

extension TransportError {
    /// Converts an error that ended a body. One that is not a transport's comes from a middleware's stage.
    package init(anyOf error: any Error) {
        self = error as? TransportError ?? TransportError(.middleware, "\(type(of: error))")
    }
}

// Errors of an upstream.
extension GatewayError {
    static func upstream(
        _ status: Int, _ code: String, _ message: String, cause: Cause, detail: String? = nil
    ) -> GatewayError {
        GatewayError(status, type: "server_error", code: code, message: message, cause: cause, detail: detail)
    }

    /// Returns the error for a failure before the first byte of a response.
    package static func transport(_ error: TransportError, upstream name: String) -> GatewayError {
        if case .notReady = error.kind {
            var notReady = upstream(
                503, "upstream_starting", "\(error.detail). Try again in a moment.", cause: .starting)
            notReady.headerFields[.retryAfter] = "2"
            return notReady
        }
        if case .busy = error.kind {
            var busy = upstream(
                503, "upstream_busy", "The upstream '\(name)' is busy: \(error.detail). Try again in 10 s.",
                cause: .busy, detail: error.detail)
            busy.headerFields[.retryAfter] = "10"
            return busy
        }
        if case .noKey = error.kind {
            var noKey = upstream(
                503, "upstream_no_key",
                "The gateway has no key for the upstream '\(name)' now: \(error.detail). Try again in a moment.",
                cause: .noKey, detail: error.detail)
            noKey.headerFields[.retryAfter] = "5"
            return noKey
        }
        if case .notRecorded = error.kind { return notRecorded(error.detail) }
        let (status, code, message): (Int, String, String) =
            switch error.kind {
            case .notReady, .busy, .noKey, .unavailable, .notRecorded: (502, "upstream_unavailable", "\(error.detail).")
            case .connect, .unreachable, .connectTimeout:
                (
                    502, "upstream_connect",
                    "The upstream '\(name)' cannot be reached. Is it running, and is its base_url right? "
                        + "The gateway's log says what was tried."
                )
            case .tls:
                (
                    502, "upstream_tls",
                    "There is no secure connection to the upstream '\(name)': \(error.detail)."
                )
            case .responseTimeout, .silenceTimeout:
                (504, "upstream_timeout", "The upstream '\(name)' did not answer in time.")
            case .closedBeforeResponse, .cancelled:
                (502, "upstream_disconnected", "The upstream '\(name)' closed the connection without an answer.")
            case .truncatedBody:
                (502, "upstream_incomplete", "The upstream '\(name)' broke off in the middle of its answer.")
            case .encoding:
                (
                    502, "upstream_encoding",
                    "The upstream '\(name)' sent an answer in a content encoding that cannot be decoded: "
                        + "\(error.detail)."
                )
            case .middleware:
                (500, "middleware_failed", "A middleware of the gateway failed. Its log says which error it threw.")
            case .protocolViolation:
                (502, "upstream_protocol", "The upstream '\(name)' sent something that is not valid HTTP.")
            }
        return upstream(status, code, message, cause: Cause(error.kind), detail: error.detail)
    }

    /// Returns the error for a request without a recording while recordings are replayed.
    private static func notRecorded(_ detail: String) -> GatewayError {
        GatewayError(
            404, type: "invalid_request_error", code: "not_recorded",
            message: "The gateway replays recordings, and \(detail).", cause: .notRecorded)
    }

    /// Returns the error for a failure inside a stream, after part of it might have been sent downstream.
    static func stream(_ error: any Error) -> GatewayError {
        let error = TransportError(anyOf: error)
        switch error.kind {
        case .middleware:
            return upstream(
                500, "middleware_failed", "A middleware of the gateway failed. Its log says which error it threw.",
                cause: .gatewayFailed, detail: error.detail)
        case .silenceTimeout, .responseTimeout:
            return upstream(
                504, "upstream_timeout", "The upstream fell silent in the middle of its answer.", cause: .stall,
                detail: error.detail)
        case .encoding:
            return upstream(
                502, "upstream_encoding", "The upstream's answer stopped being decodable: \(error.detail).",
                cause: .encoding, detail: error.detail)
        case .protocolViolation:
            return upstream(
                502, "upstream_protocol", "The upstream sent something that is not valid HTTP.",
                cause: .protocolViolation, detail: error.detail)
        case .cancelled: return incompleteStream(.cancelled, detail: error.detail)
        // A stream that was committed before its program could serve.
        case .busy: return notServed(503, "upstream_busy", error)
        case .notReady: return notServed(503, "upstream_starting", error)
        case .unavailable: return notServed(502, "upstream_unavailable", error)
        default: return incompleteStream(detail: error.detail)
        }
    }

    private static func notServed(_ status: Int, _ code: String, _ error: TransportError) -> GatewayError {
        upstream(
            status, code, "The upstream's program did not get to this request: \(error.detail).",
            cause: Cause(error.kind), detail: error.detail)
    }

    package static func incompleteStream(_ cause: Cause = .truncated, detail: String? = nil) -> GatewayError {
        upstream(
            502, "upstream_incomplete",
            "The upstream broke off in the middle of its answer: the text so far is not complete.", cause: cause,
            detail: detail)
    }

    static let invalidEvent = upstream(
        502, "upstream_invalid_json", "The upstream sent an event that is not valid JSON.", cause: .invalidJSON)

    static let oversizeEvent = upstream(
        502, "upstream_oversize_event",
        "The upstream sent an event or a line that is larger than the gateway's cap. Whoever runs the gateway can "
            + "raise it with 'limits: {event: ...}'.",
        cause: .oversize)

    static let noContent = upstream(
        502, "upstream_no_content", "The upstream's stream goes on and on without any content.",
        cause: .emptyStream)

    static func noFirstContent(_ name: String) -> GatewayError {
        upstream(
            504, "upstream_timeout", "The upstream '\(name)' sent no content in time.", cause: .firstContentTimeout)
    }

    static let totalTimeout = upstream(
        504, "request_timeout", "The request took longer than 'timeouts: {total: ...}' of its model allows.",
        cause: .totalTimeout)

    /// - Parameter retryAfter: in seconds.
    static func noTarget(_ model: String, retryAfter: UInt64) -> GatewayError {
        var error = upstream(
            503, "no_target_available",
            "No upstream of the model '\(ShownName.text(model))' takes requests now: each has failed, is at its "
                + "limit, or rests after a refusal. Try again in \(retryAfter) s.",
            cause: .noTarget)
        error.headerFields[.retryAfter] = "\(retryAfter)"
        return error
    }

    /// Returns the error if each target recently refused its key or asked for fewer requests.
    ///
    /// - Parameter retryAfter: in seconds.
    static func targetsRest(_ model: String, retryAfter: UInt64) -> GatewayError {
        var error = upstream(
            429, "targets_resting",
            "Each upstream of the model '\(ShownName.text(model))' has refused the gateway's key or wants fewer "
                + "requests, and rests for now. Try again in \(retryAfter) s.",
            cause: .noTarget)
        error.type = "rate_limit_error"
        error.headerFields[.retryAfter] = "\(retryAfter)"
        return error
    }

    static let oversizeResponse = upstream(
        502, "upstream_oversize", "The upstream's answer is larger than the gateway's cap.", cause: .oversize)

    static let notStreaming = upstream(
        502, "upstream_not_streaming", "The upstream was asked for a stream and answered with one JSON document.",
        cause: .notStream)

    static let eventsInPlaceOfDocument = upstream(
        502, "upstream_streaming",
        "The upstream was not asked for a stream, and sent events that cannot be put together to one answer.",
        cause: .invalidJSON)

    static let wrongContentType = upstream(
        502, "upstream_content_type", "The upstream answered with something that is neither an event stream nor JSON.",
        cause: .contentType)

    /// The upstream refuses the operator's key, not that of the client.
    static func upstreamRefusedKey(_ name: String) -> GatewayError {
        var error = upstream(
            502, "upstream_auth",
            "The upstream '\(name)' does not accept the gateway's key. Whoever runs the gateway must check its "
                + "api_key.",
            cause: .upstreamStatus(401))
        error.headerFields[.xShouldRetry] = "false"
        return error
    }
}
