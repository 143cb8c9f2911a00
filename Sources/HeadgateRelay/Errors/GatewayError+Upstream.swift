internal import HTTPTypes
internal import HeadgateHTTP

// Errors of an upstream.
extension GatewayError {
    static func upstream(
        _ status: Int, _ code: String, _ message: String, cause: Cause, detail: String? = nil
    ) -> GatewayError {
        GatewayError(status, type: "server_error", code: code, message: message, cause: cause, detail: detail)
    }

    package static func incompleteStream(_ cause: Cause = .truncatedBody, detail: String? = nil) -> GatewayError {
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

    /// Returns the error for a model whose targets have all recently refused their key or asked for fewer requests.
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

    /// Returns the error for an upstream that refuses the operator's key, as opposed to the client's.
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
