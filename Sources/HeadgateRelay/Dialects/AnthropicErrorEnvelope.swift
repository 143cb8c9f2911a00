internal import HTTPTypes
internal import HeadgateHTTP
internal import JSONBytes

/// Errors in Anthropic's format: `{"type":"error","error":{"type","message"},"request_id"}`, as a body or `error`
/// event.
enum AnthropicErrorEnvelope {
    static func response(_ error: GatewayError, requestID: String) -> ServerResponse {
        var head = HTTPResponse(status: HTTPResponse.Status(code: error.status), headerFields: error.headerFields)
        head.headerFields[.contentType] = "application/json"
        return ServerResponse(head, .bytes(body(error, requestID: requestID)))
    }

    static func appendEvent(_ error: GatewayError, requestID: String, to output: inout [UInt8]) {
        output.append(contentsOf: "event: error\ndata: ".utf8)
        output.append(contentsOf: body(error, requestID: requestID))
        output.append(contentsOf: "\n\n".utf8)
    }

    private static func body(_ error: GatewayError, requestID: String) -> [UInt8] {
        var output = Array("{\"type\":\"error\",\"error\":{\"type\":".utf8)
        JSONEscaping.append(type(of: error), to: &output)
        output.append(contentsOf: ",\"message\":".utf8)
        let isOverflow = error.cause == .contextOverflow
        JSONEscaping.append(
            isOverflow ? ContextOverflow.messagesWording(of: error.message) : error.message, to: &output)
        output.append(contentsOf: "},\"request_id\":".utf8)
        JSONEscaping.append(requestID, to: &output)
        output.append(0x7D)
        return output
    }

    /// Returns the error type of an Anthropic upstream, else the one that clients expect with the status.
    private static func type(of error: GatewayError) -> String {
        if types.contains(error.type) { return error.type }
        return switch error.status {
        case 401: "authentication_error"
        case 402: "billing_error"
        case 403: "permission_error"
        case 404: "not_found_error"
        case 409: "conflict_error"
        case 413: "request_too_large"
        case 429: "rate_limit_error"
        case 408, 504: "timeout_error"
        case 503, 529: "overloaded_error"
        // The upstream's type is more specific than a status that the gateway chose.
        case 500...: error.type == "invalid_request_error" ? error.type : "api_error"
        default: "invalid_request_error"
        }
    }

    private static let types: Set<String> = [
        "authentication_error", "billing_error", "permission_error", "not_found_error", "conflict_error",
        "request_too_large", "rate_limit_error", "timeout_error", "overloaded_error", "api_error",
    ]
}
