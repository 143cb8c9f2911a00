internal import HTTPTypes

// Errors of requests about a conversation, or in one.
extension GatewayError {
    static let conversationsUnavailable = GatewayError(
        503, type: "server_error", code: "conversations_unavailable",
        message: "The gateway cannot read the conversations that it keeps. Try again later.",
        cause: .storeFailed, headerFields: [.retryAfter: "5"])

    static let keepsNoConversations = GatewayError.invalidRequest(
        400,
        "The gateway keeps no conversations: 'responses: {store: 1d}' in its configuration makes it keep them for a "
            + "day.",
        code: "conversations_not_kept")

    /// Returns one error for both unknown conversations and those of another key.
    static func unknownConversation(_ parameter: String) -> GatewayError {
        .invalidRequest(
            404,
            "There is no conversation with that id: it was not made here, was deleted, has expired, or is another "
                + "key's.",
            code: "conversation_not_found", parameter: parameter, cause: .unknownResponse)
    }

    static let unknownItem = GatewayError.invalidRequest(
        404, "There is no item with that id in this conversation.", code: "item_not_found", parameter: "item_id",
        cause: .unknownResponse)

    /// Returns the error for a concurrent turn: neither of two concurrent turns would include the other.
    static func busyConversation(_ parameter: String) -> GatewayError {
        .invalidRequest(
            409,
            "A response is being made in this conversation. Try again when it is complete, or use another "
                + "conversation.",
            code: "conversation_locked", parameter: parameter, headerFields: [.retryAfter: "1"])
    }

    static let longConversationItems = GatewayError.invalidRequest(
        400,
        "What was said in this conversation is more than a request may be. Begin another one with what of it matters.",
        code: "conversation_too_long", parameter: "conversation")

    static let conversationAndPrevious = GatewayError.invalidRequest(
        400,
        "A request goes on from a response or in a conversation: leave 'previous_response_id' or 'conversation' out.",
        code: "mutually_exclusive_parameters", parameter: "previous_response_id")

    static let backgroundInConversation = GatewayError.invalidRequest(
        400,
        "A response in a conversation that the gateway keeps cannot be made in the background: leave 'background' "
            + "out.",
        code: "invalid_value", parameter: "background")

    static func responseOfConversation(_ id: String) -> GatewayError {
        .invalidRequest(
            400,
            "The previous response is a part of the conversation '\(id)': name that in 'conversation', in place of "
                + "'previous_response_id'.",
            code: "invalid_value", parameter: "previous_response_id")
    }

    /// - Parameter place: the place of the item, such as `input[2]`.
    static func invalidItem(_ place: String, _ problem: String) -> GatewayError {
        .invalidRequest(400, "'\(place)' \(problem).", code: "invalid_value", parameter: place)
    }
}
