internal import HeadgateRelay

extension SQLiteDatabase {
    func insert(_ response: LocalResponse, until end: Int64) throws(StoreError) {
        try statement(
            """
            INSERT INTO responses (id, owner, previous, kept_until, octets) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """
        ).run(
            .text(response.id), .octets(response.owner), response.previous.map { .text($0) } ?? .null, .integer(end),
            .integer(Int64(response.size)))
        guard changes > 0 else { return }
        try statement("INSERT INTO contents SELECT number, ?, ? FROM responses WHERE id = ?")
            .run(.octets(response.input), .octets(response.document), .text(response.id))
        guard let previous = response.previous else { return }
        // Earlier responses of the chain live at least as long as this one.
        try statement(
            """
            WITH RECURSIVE chain (id, previous) AS (
                SELECT id, previous FROM responses WHERE id = ?1 AND kept_until < ?2
                UNION SELECT r.id, r.previous FROM responses r JOIN chain c ON r.id = c.previous WHERE r.kept_until < ?2
            )
            UPDATE responses SET kept_until = ?2 WHERE id IN (SELECT id FROM chain)
            """
        ).run(.text(previous), .integer(end))
    }

    /// Removes responses and conversations until the rest fits. Each time, the key with the most bytes loses those that
    /// expire first.
    ///
    /// - Returns: the number of removed responses and conversations.
    func makeRoom(_ largest: Int) throws(StoreError) -> Int {
        var removed = 0
        while try number("SELECT octets FROM totals") > Int64(largest) {
            var owner: [UInt8]?
            try statement("SELECT owner FROM owners ORDER BY octets DESC, owner LIMIT 1").rows { owner = $0.octets(0) }
            guard let owner else { break }
            let count = try removeFirst(of: owner)
            // Nothing is left.
            if count == 0 { break }
            removed += count
        }
        return removed
    }

    private func removeFirst(of owner: [UInt8]) throws(StoreError) -> Int {
        var isResponse = true
        try statement(
            """
            SELECT 1, kept_until AS until FROM responses WHERE owner = ?1
            UNION ALL SELECT 0, kept_until AS until FROM conversations WHERE owner = ?1
            ORDER BY until LIMIT 1
            """
        ).rows(.octets(owner)) { isResponse = $0.integer(0) == 1 }
        let removal: StaticString =
            if isResponse {
                """
                DELETE FROM responses WHERE number IN (
                    SELECT number FROM responses WHERE owner = ? ORDER BY kept_until, number LIMIT 8
                )
                """
            } else {
                """
                DELETE FROM conversations WHERE number IN (
                    SELECT number FROM conversations WHERE owner = ? ORDER BY kept_until, number LIMIT 1
                )
                """
            }
        try statement(removal).run(.octets(owner))
        return changes
    }

    func response(_ id: String, of owner: [UInt8]?, at now: Int64) throws(StoreError) -> LocalResponse? {
        var found: LocalResponse?
        try statement(
            """
            SELECT owner, previous, input, document FROM responses JOIN contents USING (number)
            WHERE id = ? AND kept_until > ?
            """
        ).rows(.text(id), .integer(now)) { row in
            found = LocalResponse(
                id: id, owner: row.octets(0), previous: row.isNull(1) ? nil : row.text(1), input: row.octets(2),
                document: row.octets(3))
        }
        guard let found, owner == nil || found.owner == owner else { return nil }
        return found
    }

    func chain(
        endingAt id: String, of owner: [UInt8]?, at now: Int64, within limits: ResponseChain.Limits
    ) throws(StoreError) -> ResponseChain {
        guard let last = try response(id, of: owner, at: now) else { return .unknown }
        var turns = [last]
        var octets = last.size
        while let previous = turns[turns.count - 1].previous {
            guard turns.count < limits.turns, octets <= limits.octets else { return .tooLong }
            guard let turn = try response(previous, of: nil, at: now) else { return .broken(missing: previous) }
            turns.append(turn)
            octets += turn.size
        }
        return octets <= limits.octets ? .found(turns.reversed()) : .tooLong
    }
}
