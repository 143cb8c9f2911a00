import HeadgateService

/// The file in which a conversation is stored while it continues.
struct ConversationRecord {
    let place: KeptConversations
    /// Name of the file; nil until there is something to store.
    private(set) var name: String?
    /// The version of the file that we wrote or read.
    private var version: UInt64

    init(_ place: KeptConversations, name: String? = nil, version: UInt64 = 0) {
        self.place = place
        self.name = name
        self.version = version
    }

    /// - Throws: ``Complaint``.
    mutating func write(_ conversation: SavedConversation) throws {
        // If another chat has continued the same conversation, both are kept.
        let present = self.name.map { place.version(of: $0) } ?? 0
        let isOurs = present == 0 || present == version
        let name = (isOurs ? self.name : nil) ?? KeptConversations.newName()
        try place.write(conversation, as: name)
        self.name = name
        version = place.version(of: name)
    }
}
