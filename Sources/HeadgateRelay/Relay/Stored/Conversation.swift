internal import Synchronization

/// A conversation that the gateway keeps, without its items.
package struct Conversation: Sendable, Equatable {
    package var id: String
    /// Who made it: a digest.
    package var owner: [UInt8]
    /// Seconds since 1970.
    package var created: Int64
    /// A JSON object of strings.
    package var metadata: [UInt8]

    package init(id: String, owner: [UInt8], created: Int64, metadata: [UInt8]) {
        self.id = id
        self.owner = owner
        self.created = created
        self.metadata = metadata
    }
}

/// What was said in a conversation: an item of OpenAI's Responses.
package struct ConversationItem: Sendable, Equatable {
    package private(set) var id: String
    /// Its other members: a JSON object that is not empty.
    package let members: [UInt8]

    /// - Parameter id: letters, digits, `_` and `-`.
    package init(id: String, members: [UInt8]) {
        self.id = id
        self.members = members
    }

    /// As clients and upstreams see it.
    package var document: [UInt8] {
        var document = Array("{\"id\":\"\(id)\",".utf8)
        document.append(contentsOf: members.dropFirst())
        return document
    }

    /// Octets.
    package var size: Int { id.utf8.count + members.count }

    static package func size(of items: [ConversationItem]) -> Int { items.reduce(0) { $0 + $1.size } }

    /// The same under another id, which begins as its own does.
    package var renamed: ConversationItem {
        ConversationItem(id: "\(id.prefix { $0 != "_" })_\(LocalResponses.makeID())", members: members)
    }
}

/// A turn of a conversation while it is being made: until its end no other one begins, and no item is added or removed.
package final class ConversationTurn: Sendable {
    package let conversation: String
    /// Of the items that it continues.
    package let version: Int64
    private let isOver = Atomic<Bool>(false)
    private let over: @Sendable () -> Void

    /// - Parameter over: called once, when it ends or is given up.
    package init(in conversation: String, version: Int64, over: @escaping @Sendable () -> Void) {
        self.conversation = conversation
        self.version = version
        self.over = over
    }

    deinit { end() }

    /// Lets the next one begin.
    package func end() {
        if !isOver.exchange(true, ordering: .acquiringAndReleasing) { over() }
    }
}
