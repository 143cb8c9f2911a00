/// Store of conversations with a limited lifetime. Every implementation passes `ConversationStoreContract`.
///
/// Like a ``ResponseStore``, it can be called from any thread and never blocks the caller. An answer includes every
/// change that was submitted before its question. Times are in seconds since 1970.
package protocol ConversationStore: Sendable {
    /// Answers a question about a conversation, or changes the conversation.
    ///
    /// - Parameters:
    ///   - owner: required owner of the conversation; nil for any owner.
    ///   - interest: if it is over, the store does nothing and completes with a failure.
    func ask(
        _ question: ConversationQuestion, about id: String, of owner: [UInt8]?, at now: Int64,
        for interest: StoreInterest,
        completion: @escaping @Sendable (Result<ConversationAnswer, ResponseStoreFailure>) -> Void)

    /// Adds the items of a turn to its conversation and stores its response: both, or neither.
    ///
    /// Then the turn ends: every question submitted after this call finds it over. A turn that cannot be written is
    /// lost and counted. So is a turn whose conversation was changed or deleted meanwhile. The caller also passes the
    /// size in bytes of the memory that the items and the response hold.
    ///
    /// - Parameter items: called on a thread of the store, and again if its change has to be repeated.
    func end(
        _ turn: ConversationTurn, adding items: @escaping @Sendable () -> [ConversationItem],
        keeping response: LocalResponse?, octets: Int, until end: Int64)
}

/// Query about a conversation, or change of it, for a store.
package enum ConversationQuestion: Sendable {
    /// Stores a new conversation with its first items. Its id is the one that the question is about.
    case creation(Conversation, [ConversationItem], until: Int64)
    case conversation
    case deletion
    case metadata([UInt8], until: Int64)
    case items(ConversationPage)
    case item(String)
    case addition([ConversationItem], until: Int64)
    case itemDeletion(String)
    /// Requests all items.
    case history(ConversationPage.Limits)
    /// Requests all items and begins a turn, which blocks other turns and changes until it is over.
    case turn(ConversationPage.Limits)
}

package enum ConversationAnswer: Sendable {
    case conversation(Conversation)
    /// Items in the requested order.
    case items([ConversationItem], hasMore: Bool)
    case item(ConversationItem)
    case history([ConversationItem])
    case turn(ConversationTurn, [ConversationItem])
    case deleted
    /// The conversation does not exist or belongs to another key.
    case unknown
    /// The item does not exist.
    case unknownItem
    /// Another turn of the conversation is open.
    case busy
    case tooLong
}

/// Requested page of a conversation's items.
package struct ConversationPage: Sendable, Equatable {
    package var limit: Int
    package var isAscending: Bool
    /// Id of the item that precedes the page.
    package var after: String?
    /// Size in bytes after which the page ends. The item that exceeds it is still on the page.
    package var octets: Int

    package init(limit: Int = 20, isAscending: Bool = false, after: String? = nil, octets: Int) {
        self.limit = limit
        self.isAscending = isAscending
        self.after = after
        self.octets = octets
    }

    /// Limits on all items of a conversation together.
    package struct Limits: Sendable, Equatable {
        package var items: Int
        package var octets: Int

        package init(items: Int, octets: Int) {
            self.items = items
            self.octets = octets
        }
    }
}
