internal import HeadgateEventLoop
internal import HeadgateGateway
internal import HeadgatePrimitives
package import HeadgateRelay

extension SQLiteResponseStore: ConversationStore {
    package func ask(
        _ question: ConversationQuestion, about id: String, of owner: [UInt8]?, at now: Int64,
        for interest: StoreInterest,
        completion: @escaping @Sendable (Result<ConversationAnswer, ResponseStoreFailure>) -> Void
    ) {
        ask(octets: question.octets, isReading: question.isReading, for: interest, completion) {
            [self] (database) throws(StoreError) in
            if case .creation(let conversation, let items, let end) = question {
                _ = try database.insert(items, in: database.insert(conversation, until: end))
                return .conversation(conversation)
            }
            guard let row = try database.conversation(id, of: owner, at: now) else { return .unknown }
            return try answer(question, about: row, in: database)
        }
    }

    private func answer(
        _ question: ConversationQuestion, about row: SQLiteDatabase.Row, in database: SQLiteDatabase
    ) throws(StoreError) -> ConversationAnswer {
        switch question {
        case .creation(let conversation, _, _): return .conversation(conversation)
        case .conversation: return .conversation(row.conversation)
        case .deletion:
            try database.statement("DELETE FROM conversations WHERE number = ?").run(.integer(row.number))
            return .deleted
        case .metadata(let metadata, let end):
            return .conversation(try database.update(row, metadata: metadata, until: end))
        case .items(let page):
            guard let (items, hasMore) = try database.items(of: row.number, page) else { return .unknownItem }
            return .items(items, hasMore: hasMore)
        case .item(let id): return try database.item(id, in: row.number).map { .item($0) } ?? .unknownItem
        case .addition(let items, let end):
            guard !isBusy(row.conversation.id) else { return .busy }
            _ = try database.advance(row.number, from: row.version, until: end)
            return .items(try database.insert(items, in: row.number), hasMore: false)
        case .itemDeletion(let id):
            guard !isBusy(row.conversation.id) else { return .busy }
            guard try database.removeItem(id, in: row.number) else { return .unknownItem }
            _ = try database.advance(row.number, from: row.version, until: 0)
            return .conversation(row.conversation)
        case .history(let limits):
            return try database.history(of: row.number, within: limits).map { .history($0) } ?? .tooLong
        case .turn(let limits):
            guard let turn = beginTurn(in: row.conversation.id, version: row.version) else { return .busy }
            return try database.history(of: row.number, within: limits).map { .turn(turn, $0) } ?? .tooLong
        }
    }

    private func isBusy(_ id: String) -> Bool { turns.withLock { $0.contains(id) } }

    /// Begins a turn, which ends when it is released; nil while there is another one.
    private func beginTurn(in id: String, version: Int64) -> ConversationTurn? {
        guard turns.withLock({ $0.insert(id).inserted }) else { return nil }
        let turns = turns
        return ConversationTurn(in: id, version: version) { turns.withLock { _ = $0.remove(id) } }
    }

    package func end(
        _ turn: ConversationTurn, adding items: @escaping @Sendable () -> [ConversationItem],
        keeping response: LocalResponse?, octets: Int, until end: Int64
    ) {
        let (id, version) = (turn.conversation, turn.version)
        write(octets: octets) { (database) throws(StoreError) in
            // The turn ends at its place in the queue: earlier jobs must still find it, and later ones must not be
            // refused.
            defer { turn.end() }
            guard let row = try database.conversation(id, of: nil, at: .min),
                try database.advance(row.number, from: version, until: end)
            else { return false }
            _ = try database.insert(items(), in: row.number)
            if let response { try database.insert(response, until: end) }
            return true
        } failed: {
            turn.end()
        }
    }
}

extension ConversationQuestion {
    fileprivate var isReading: Bool {
        switch self {
        case .conversation, .items, .item, .history, .turn: true
        case .creation, .deletion, .metadata, .addition, .itemDeletion: false
        }
    }

    /// Bytes of memory that the query holds.
    fileprivate var octets: Int {
        switch self {
        case .creation(let conversation, let items, _): conversation.metadata.count + ConversationItem.size(of: items)
        case .addition(let items, _): ConversationItem.size(of: items)
        case .metadata(let metadata, _): metadata.count
        case .conversation, .deletion, .items, .item, .itemDeletion, .history, .turn: 0
        }
    }
}
