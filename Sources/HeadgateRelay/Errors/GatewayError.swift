package import HTTPTypes
package import HeadgateHTTP

/// A failure, described for the client (status, code, message), the operator (detail), the metrics (label), and the
/// gateway itself (cause).
package struct GatewayError: Error {
    enum Origin: Hashable, Sendable {
        /// The caller's request was at fault.
        case downstream
        /// The upstream, or the path to it, failed.
        case upstream
        case gateway
    }

    package var status: Int
    /// `type` of OpenAI's envelope.
    var type: String
    /// Code of the gateway, or of an upstream's error.
    var code: String?
    /// Member of the request that is at fault.
    var parameter: String?
    /// Message for the client. Contains no secret and no upstream address.
    package var message: String
    /// Cause, which determines what the gateway does.
    var cause: Cause
    /// Detail for the log only. Contains no secret and no content.
    var detail: String?
    /// Headers of the error response, such as `Allow` or `Retry-After`.
    package var headerFields: HTTPFields
    /// Requested model that is not available, escaped: see ``ShownName``.
    var requestedModel: String?

    var origin: Origin { cause.origin }
    var retry: RetryDecision { cause.retry }

    package init(
        _ status: Int, type: String, code: String? = nil, parameter: String? = nil, message: String, cause: Cause,
        detail: String? = nil, headerFields: HTTPFields = [:]
    ) {
        self.status = status
        self.type = type
        self.code = code
        self.parameter = parameter
        self.message = message
        self.cause = cause
        self.detail = detail
        self.headerFields = headerFields
    }
}

extension GatewayError {
    /// The code if it is one word, else the status, so that no text of an upstream becomes a label. At most 64 bytes.
    package var label: String {
        guard let code, GatewayError.isWord(code) else { return "status_\(status)" }
        return code
    }

    /// Whether a text of an upstream is fit for a log: one word, which can only name the kind of failure.
    static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isWordByte)
    }

    /// Label in metrics: a code of the gateway, or the status of the upstream's response. Both are bounded, while an
    /// upstream's codes are not.
    var metricLabel: String {
        switch cause {
        case .upstreamStatus(let status): "status_\(status)"
        case .quotaExhausted: "insufficient_quota"
        case .errorInSuccess: "upstream_error"
        default: label
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }
}

// MARK: Errors of callers

extension GatewayError.Cause {
    /// Converts an error that the codec found.
    fileprivate init(_ violation: HTTPSyntaxError) {
        self =
            switch violation.status {
            case 408: .requestTimeout
            case 413: .bodyTooLarge
            case 503: .connectionLimit
            default: .invalidRequest
            }
    }
}

extension GatewayError {
    package static func invalidRequest(
        _ status: Int = 400, _ message: String, code: String? = nil, parameter: String? = nil,
        cause: Cause = .invalidRequest, headerFields: HTTPFields = [:]
    ) -> GatewayError {
        GatewayError(
            status, type: "invalid_request_error", code: code, parameter: parameter, message: message, cause: cause,
            headerFields: headerFields)
    }

    /// Error for a wrong key. The text does not depend on what is wrong with the key, so that it does not reveal which
    /// keys exist.
    ///
    /// LiteLLM's library recognizes by the first words that the key is wrong, not the request.
    static let invalidKey = GatewayError.invalidRequest(
        401,
        "Incorrect API key provided. This gateway needs one of its own: send it as 'Authorization: Bearer KEY' or "
            + "'x-api-key: KEY'.",
        code: "invalid_api_key", cause: .keyRefused, headerFields: [.wwwAuthenticate: "Bearer"])

    static let missingKey = GatewayError.invalidRequest(
        401,
        "No API key was provided. This gateway needs one of its own: send it as 'Authorization: Bearer KEY' or "
            + "'x-api-key: KEY'.",
        code: "invalid_api_key", cause: .keyRefused, headerFields: [.wwwAuthenticate: "Bearer"])

    package static let notForThisKey = GatewayError.invalidRequest(
        403, "This key may not see how the gateway is doing: that needs a key with 'admin: true' in the configuration.",
        code: "admin_key_needed", cause: .notAllowed)

    package static let explanationNotForThisKey = GatewayError.invalidRequest(
        403,
        "This key may not see where requests go: 'x-headgate-explain' needs a key with 'admin: true' in the "
            + "configuration. Without that field the request is answered as usual.",
        code: "admin_key_needed", cause: .notAllowed)

    package static let unclearExplanation = GatewayError.invalidRequest(
        400,
        "The field 'x-headgate-explain' must be 1, which asks what would happen to this request. Leave it out to have "
            + "the request answered.",
        code: "invalid_value", parameter: "x-headgate-explain")

    package static let unknownRoute = GatewayError.invalidRequest(
        404, "There is no such route. The routes are listed by 'headgate routes'.", code: "unknown_route",
        cause: .unknownRoute)

    /// Returns the error after too many wrong keys. A retry cannot help, so the response tells clients not to retry.
    ///
    /// - Parameter seconds: the time until the window ends.
    static func tooManyWrongKeys(_ seconds: Int64) -> GatewayError {
        .invalidRequest(
            429,
            "Incorrect API key provided, as several times before from this address. Stop, and send a key of this "
                + "gateway.",
            code: "too_many_wrong_keys", cause: .keyRefused,
            headerFields: [.retryAfter: "\(seconds)", .xShouldRetry: "false"])
    }

    /// - Parameter nearest: a configured name that the caller may use and might have meant.
    /// - Parameter names: the names that the caller may use; the message lists the first ones.
    package static func unknownModel(_ name: String, nearest: String? = nil, names: [String] = []) -> GatewayError {
        let shown = ShownName.text(name)
        var hint = nearest.map { " Did you mean '\($0)'?" } ?? ""
        if !names.isEmpty {
            let more = names.count > mostNames ? " and \(names.count - mostNames) more" : ""
            hint += " There are " + names.prefix(mostNames).map { "'\($0)'" }.joined(separator: ", ") + more + "."
        }
        return .refusedModel(
            shown, 404,
            "The model '\(shown)' is not configured here.\(hint) GET /v1/models lists the models that this key may "
                + "use.",
            code: "model_not_found", cause: .unknownModel)
    }

    private static let mostNames = 8

    static func modelNotAllowed(_ name: String) -> GatewayError {
        .refusedModel(
            ShownName.text(name), 403,
            "This key may not use that model. GET /v1/models lists the models that it may use.",
            code: "model_not_allowed", cause: .notAllowed)
    }

    static func refusedModel(
        _ shown: String, _ status: Int, _ message: String, code: String, cause: Cause
    ) -> GatewayError {
        var error = GatewayError.invalidRequest(status, message, code: code, parameter: "model", cause: cause)
        error.requestedModel = shown
        return error
    }

    package static func methodNotAllowed(allowed: String) -> GatewayError {
        .invalidRequest(
            405, "This route does not take that method. It takes: \(allowed).", code: "method_not_allowed",
            cause: .unknownRoute, headerFields: [.allow: allowed])
    }

    /// The `Upgrade` header names the protocol to use instead (RFC 9110 section 15.5.22).
    package static let webSocketNotSupported = GatewayError.invalidRequest(
        426, "WebSockets are not supported. Send the request by HTTP: streams come as server-sent events.",
        code: "websocket_not_supported", cause: .unknownRoute,
        headerFields: [.upgrade: "HTTP/1.1", .connection: "Upgrade"])

    package static let unknownMethod = GatewayError.invalidRequest(
        501, "The method is not implemented.", cause: .unknownRoute)

    package static func syntax(_ violation: HTTPSyntaxError) -> GatewayError {
        let cause = Cause(violation)
        var error = GatewayError.invalidRequest(violation.status, violation.explanation, cause: cause)
        if cause == .connectionLimit {
            error.type = "server_error"
            error.headerFields[.retryAfter] = "1"
        }
        return error
    }
}

// MARK: Errors of the gateway

extension GatewayError {
    static let bodyMemory = GatewayError(
        503, type: "server_error", code: "body_memory",
        message: "The gateway holds as many bodies as its memory is meant to take. Try again soon.",
        cause: .bodyMemory, headerFields: [.retryAfter: "1"])

    package static let overloaded = GatewayError(
        503, type: "server_error", code: "gateway_overloaded",
        message: "The gateway has more work than it can do at the moment. Try again soon.",
        cause: .overloaded, headerFields: [.retryAfter: "2"])

    package static let shuttingDown = GatewayError(
        503, type: "server_error", code: "gateway_shutdown",
        message: "The gateway is shutting down: the text so far is not complete.", cause: .shutdown)

    /// Sent if the request has no response yet.
    package static let unansweredAtShutdown = GatewayError(
        503, type: "server_error", code: "gateway_shutdown",
        message: "The gateway is shutting down. Try again soon.", cause: .shutdown, headerFields: [.retryAfter: "1"])
}

extension GatewayError {
    /// Converts an error that the chain has thrown to one that can be sent.
    package init(_ error: any Error) {
        switch error {
        case let error as GatewayError: self = error
        case let violation as HTTPSyntaxError: self = .syntax(violation)
        case is BodyMemory.Exhausted: self = .bodyMemory
        default:
            let isGivenUp = (error as? TransportError)?.kind == .cancelled
            self.init(
                500, type: "server_error", code: "internal_error", message: "The gateway failed. Its log says more.",
                cause: isGivenUp ? .cancelled : .gatewayFailed, detail: String(describing: Swift.type(of: error)))
        }
    }
}
