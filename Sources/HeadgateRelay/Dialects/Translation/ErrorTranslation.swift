internal import HeadgateDialects

/// Converts an upstream's error to one with a status and a type that the client's format knows.
enum ErrorTranslation {
    static func adapted(_ error: GatewayError, to client: ClientFormat) -> GatewayError {
        // Anthropic's error format derives unknown types from the status.
        if case .messages = client { return error }
        var error = error
        // 529 is Anthropic's status for an overload; OpenAI's clients know 503.
        if error.status == 529 { error.status = 503 }
        error.type = type(of: error)
        return error
    }

    /// Returns OpenAI's type.
    private static func type(of error: GatewayError) -> String {
        switch error.type {
        case "not_found_error", "request_too_large", "conflict_error": "invalid_request_error"
        case "billing_error": "insufficient_quota"
        case "api_error", "overloaded_error", "timeout_error": "server_error"
        default: error.type
        }
    }
}
