internal import HeadgateRelay

extension SQLiteDatabase {
    /// A stored conversation.
    struct Row {
        let number: Int64
        let conversation: Conversation
        let version: Int64
    }

    /// Bytes of overhead that are counted for each conversation and each item.
    private static let overhead = 256

    func conversation(_ id: String, of owner: [UInt8]?, at now: Int64) throws(StoreError) -> Row? {
        var found: Row?
        try statement(
            """
            SELECT number, owner, created, metadata, version FROM conversations WHERE id = ? AND kept_until > ?
            """
        ).rows(.text(id), .integer(now)) { row in
            found = Row(
                number: row.integer(0),
                conversation: Conversation(
                    id: id, owner: row.octets(1), created: row.integer(2), metadata: row.octets(3)),
                version: row.integer(4))
        }
        guard let found, owner == nil || found.conversation.owner == owner else { return nil }
        return found
    }

    func insert(_ conversation: Conversation, until end: Int64) throws(StoreError) -> Int64 {
        let octets = Self.overhead + conversation.metadata.count
        try statement(
            """
            INSERT INTO conversations (id, owner, created, metadata, version, kept_until, octets)
            VALUES (?, ?, ?, ?, 0, ?, ?)
            """
        ).run(
            .text(conversation.id), .octets(conversation.owner), .integer(conversation.created),
            .octets(conversation.metadata), .integer(end), .integer(Int64(octets)))
        return try number("SELECT last_insert_rowid()")
    }

    func update(_ row: Row, metadata: [UInt8], until end: Int64) throws(StoreError) -> Conversation {
        var conversation = row.conversation
        let growth = metadata.count - conversation.metadata.count
        conversation.metadata = metadata
        try statement(
            """
            UPDATE conversations SET metadata = ?, octets = octets + ?, kept_until = max(kept_until, ?) WHERE number = ?
            """
        ).run(.octets(metadata), .integer(Int64(growth)), .integer(end), .integer(row.number))
        return conversation
    }

    /// Increments a conversation's version, if the conversation has not changed since.
    ///
    /// - Parameter version: the version on which the change is based.
    /// - Returns: whether the conversation had that version.
    func advance(_ number: Int64, from version: Int64, until end: Int64) throws(StoreError) -> Bool {
        try statement(
            """
            UPDATE conversations SET version = version + 1, kept_until = max(kept_until, ?)
            WHERE number = ? AND version = ?
            """
        ).run(.integer(end), .integer(number), .integer(version))
        return changes == 1
    }

    // MARK: Items

    /// - Returns: the stored items. An item whose id exists already gets another.
    func insert(_ items: [ConversationItem], in conversation: Int64) throws(StoreError) -> [ConversationItem] {
        var kept: [ConversationItem] = []
        for item in items {
            var item = item
            while try !insert(item, in: conversation) { item = item.renamed }
            kept.append(item)
        }
        return kept
    }

    private func insert(_ item: ConversationItem, in conversation: Int64) throws(StoreError) -> Bool {
        try statement(
            "INSERT INTO items (conversation, id, octets, members) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        ).run(
            .integer(conversation), .text(item.id), .integer(Int64(Self.overhead + item.size)), .octets(item.members))
        return changes == 1
    }

    func item(_ id: String, in conversation: Int64) throws(StoreError) -> ConversationItem? {
        var found: ConversationItem?
        try statement("SELECT members FROM items WHERE conversation = ? AND id = ?")
            .rows(.integer(conversation), .text(id)) { found = ConversationItem(id: id, members: $0.octets(0)) }
        return found
    }

    /// - Returns: whether the item existed.
    func removeItem(_ id: String, in conversation: Int64) throws(StoreError) -> Bool {
        try statement("DELETE FROM items WHERE conversation = ? AND id = ?").run(.integer(conversation), .text(id))
        return changes == 1
    }

    /// Returns all items in order; nil if they exceed the limits.
    func history(
        of conversation: Int64, within limits: ConversationPage.Limits
    ) throws(StoreError) -> [ConversationItem]? {
        var (items, octets): ([ConversationItem], Int) = ([], 0)
        try statement("SELECT id, members FROM items WHERE conversation = ? ORDER BY number LIMIT ?")
            .rows(.integer(conversation), .integer(Int64(limits.items + 1))) { row in
                guard octets <= limits.octets else { return }
                let item = ConversationItem(id: row.text(0), members: row.octets(1))
                octets += item.size
                items.append(item)
            }
        return items.count <= limits.items && octets <= limits.octets ? items : nil
    }

    /// Returns one page; nil if the item that the page follows does not exist.
    func items(
        of conversation: Int64, _ page: ConversationPage
    ) throws(StoreError) -> (items: [ConversationItem], hasMore: Bool)? {
        var start: Int64 = page.isAscending ? 0 : .max
        if let after = page.after {
            var place: Int64?
            try statement("SELECT number FROM items WHERE conversation = ? AND id = ?")
                .rows(.integer(conversation), .text(after)) { place = $0.integer(0) }
            guard let place else { return nil }
            start = place
        }
        let rows: StaticString =
            if page.isAscending {
                "SELECT id, members FROM items WHERE conversation = ? AND number > ? ORDER BY number LIMIT ?"
            } else {
                "SELECT id, members FROM items WHERE conversation = ? AND number < ? ORDER BY number DESC LIMIT ?"
            }
        var (items, octets, hasMore): ([ConversationItem], Int, Bool) = ([], 0, false)
        try statement(rows).rows(.integer(conversation), .integer(start), .integer(Int64(page.limit + 1))) { row in
            guard !hasMore, items.count < page.limit, octets <= page.octets else {
                hasMore = true
                return
            }
            let item = ConversationItem(id: row.text(0), members: row.octets(1))
            octets += item.size
            items.append(item)
        }
        return (items, hasMore)
    }
}
