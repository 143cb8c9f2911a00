internal import HTTPTypes

// Errors of requests that continue a response stored by this gateway.
extension GatewayError {
    static let responsesUnavailable = GatewayError(
        503, type: "server_error", code: "responses_unavailable",
        message: "The gateway cannot read the responses that it keeps. Send the whole conversation in 'input', without "
            + "'previous_response_id', or try again later.",
        cause: .storeFailed, headerFields: [.retryAfter: "5"])

    static let unknownPreviousResponse = GatewayError.invalidRequest(
        404,
        "There is no previous response with that id: it was not kept, was deleted, has expired, or is another key's. "
            + "Send the whole conversation in 'input', without 'previous_response_id'.",
        code: "previous_response_not_found", parameter: "previous_response_id", cause: .unknownResponse)

    static let brokenConversation = GatewayError.invalidRequest(
        404,
        "The previous response continues one that was deleted or has expired. Send the whole conversation in 'input', "
            + "without 'previous_response_id'.",
        code: "previous_response_not_found", parameter: "previous_response_id", cause: .unknownResponse)

    static let longConversation = GatewayError.invalidRequest(
        400,
        "The previous response and all that it continues are more than a request may be. Send what of it matters in "
            + "'input', without 'previous_response_id'.",
        code: "previous_response_too_long", parameter: "previous_response_id")
}
