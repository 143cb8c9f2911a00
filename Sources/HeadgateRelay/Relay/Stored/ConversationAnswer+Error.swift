extension ConversationAnswer {
    /// What an answer that was not hoped for means.
    ///
    /// - Parameter parameter: what in the request names the conversation.
    package func error(naming parameter: String) -> GatewayError {
        switch self {
        case .unknownItem: .unknownItem
        case .busy: .busyConversation(parameter)
        case .tooLong: .longConversationItems
        case .unknown, .conversation, .items, .item, .history, .turn, .deleted: .unknownConversation(parameter)
        }
    }
}
