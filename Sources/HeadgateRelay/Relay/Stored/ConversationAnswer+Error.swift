extension ConversationAnswer {
    /// Returns the error for an answer that is not the expected one.
    ///
    /// - Parameter parameter: name of the request's parameter that holds the conversation's id.
    func error(naming parameter: String) -> GatewayError {
        switch self {
        case .unknownItem: .unknownItem
        case .busy: .busyConversation(parameter)
        case .tooLong: .longConversationItems
        case .unknown, .conversation, .items, .item, .history, .turn, .deleted: .unknownConversation(parameter)
        }
    }
}
