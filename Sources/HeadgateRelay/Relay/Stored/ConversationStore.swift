/// Keeps conversations for a while. Every implementation passes `ConversationStoreContract`.
///
/// As a ``ResponseStore``: from any thread, and never waited for. What was handed over before a question is asked is in
/// its answer. Times are seconds since 1970.
package protocol ConversationStore: Sendable {
    /// - Parameters:
    ///   - owner: whose conversation it must be; nil for anybody's.
    ///   - interest: nothing is done any more once it is over, and the completion is given a failure.
    func ask(
        _ question: ConversationQuestion, about id: String, of owner: [UInt8]?, at now: Int64,
        for interest: StoreInterest,
        completion: @escaping @Sendable (Result<ConversationAnswer, ResponseStoreFailure>) -> Void)

    /// Adds what was said in a turn to its conversation, and keeps its response: both, or neither. Ends the turn then,
    /// for who asks after this.
    ///
    /// What cannot be written is lost, and counted; so is a turn whose conversation has changed or is gone.
    ///
    /// - Parameters:
    ///   - items: called on a thread of the store, and once more where its change has to be repeated.
    ///   - octets: how much memory all of this holds.
    func end(
        _ turn: ConversationTurn, adding items: @escaping @Sendable () -> [ConversationItem],
        keeping response: LocalResponse?, octets: Int, until end: Int64)
}

/// What a store is asked about a conversation, or to do with it.
package enum ConversationQuestion: Sendable {
    /// Keeps a new one with its first items. It has the id that is asked about.
    case creation(Conversation, [ConversationItem], until: Int64)
    case conversation
    case deletion
    case metadata([UInt8], until: Int64)
    case items(ConversationPage)
    case item(String)
    case addition([ConversationItem], until: Int64)
    case itemDeletion(String)
    /// All items.
    case history(ConversationPage.Limits)
    /// All items, and to hold others off until the turn is over.
    case turn(ConversationPage.Limits)
}

package enum ConversationAnswer: Sendable {
    case conversation(Conversation)
    /// In the order that was asked for.
    case items([ConversationItem], hasMore: Bool)
    case item(ConversationItem)
    case history([ConversationItem])
    case turn(ConversationTurn, [ConversationItem])
    case deleted
    /// There is no such conversation, or it is another key's.
    case unknown
    /// There is no such item.
    case unknownItem
    /// A turn is being made.
    case busy
    case tooLong
}

/// What of a conversation's items is asked for.
package struct ConversationPage: Sendable, Equatable {
    package var limit: Int
    package var isAscending: Bool
    /// The id of the item before the first.
    package var after: String?
    /// At most; one item comes in any case.
    package var octets: Int

    package init(limit: Int = 20, isAscending: Bool = false, after: String? = nil, octets: Int) {
        self.limit = limit
        self.isAscending = isAscending
        self.after = after
        self.octets = octets
    }

    /// Of all items together.
    package struct Limits: Sendable, Equatable {
        package var items: Int
        package var octets: Int

        package init(items: Int, octets: Int) {
            self.items = items
            self.octets = octets
        }
    }
}
