internal import Synchronization

/// Conversation that the gateway stores, without its items.
package struct Conversation: Sendable, Equatable {
    package var id: String
    /// Digest that identifies the creator.
    package var owner: [UInt8]
    /// Creation time in seconds since 1970.
    package var created: Int64
    /// Metadata as a JSON object of strings.
    package var metadata: [UInt8]

    package init(id: String, owner: [UInt8], created: Int64, metadata: [UInt8]) {
        self.id = id
        self.owner = owner
        self.created = created
        self.metadata = metadata
    }
}

/// Item of a conversation, as in OpenAI's Responses API.
package struct ConversationItem: Sendable, Equatable {
    package private(set) var id: String
    /// All members except the id, as a JSON object that is not empty.
    package let members: [UInt8]

    /// - Parameter id: only letters, digits, `_` and `-`.
    package init(id: String, members: [UInt8]) {
        self.id = id
        self.members = members
    }

    /// Item as clients and upstreams see it.
    var document: [UInt8] {
        var document = Array("{\"id\":\"\(id)\",".utf8)
        document.append(contentsOf: members.dropFirst())
        return document
    }

    /// Size in bytes.
    package var size: Int { id.utf8.count + members.count }

    static package func size(of items: [ConversationItem]) -> Int { items.reduce(0) { $0 + $1.size } }

    /// Copy with a new id that has the same prefix.
    package var renamed: ConversationItem {
        ConversationItem(id: "\(id.prefix { $0 != "_" })_\(LocalResponses.makeID())", members: members)
    }
}

/// Open turn of a conversation. Until it ends, no other turn begins, and no item is added or removed.
package final class ConversationTurn: Sendable {
    package let conversation: String
    /// Version of the conversation's items that the turn continues.
    package let version: Int64
    private let isOver = Atomic<Bool>(false)
    private let over: @Sendable () -> Void

    /// - Parameter over: called once, when the turn ends or is deallocated.
    package init(in conversation: String, version: Int64, over: @escaping @Sendable () -> Void) {
        self.conversation = conversation
        self.version = version
        self.over = over
    }

    deinit { end() }

    /// Ends the turn, so that the next one can begin.
    package func end() {
        if !isOver.exchange(true, ordering: .acquiringAndReleasing) { over() }
    }
}
