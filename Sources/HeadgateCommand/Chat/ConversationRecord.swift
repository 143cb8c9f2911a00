import HeadgateService

/// The file that stores the current conversation.
struct ConversationRecord {
    let place: KeptConversations
    /// Name of the file; nil until there is content to store.
    private(set) var name: String?
    /// Version of the file that this chat read or wrote last.
    private var version: UInt64

    init(_ place: KeptConversations, name: String? = nil, version: UInt64 = 0) {
        self.place = place
        self.name = name
        self.version = version
    }

    /// Writes the conversation.
    ///
    /// - Throws: ``Complaint``.
    mutating func write(_ conversation: SavedConversation) throws {
        // If another chat has continued the same conversation, both versions are stored.
        let present = self.name.map { place.version(of: $0) } ?? 0
        let isOurs = present == 0 || present == version
        let name = (isOurs ? self.name : nil) ?? KeptConversations.newName()
        try place.write(conversation, as: name)
        self.name = name
        version = place.version(of: name)
    }
}
