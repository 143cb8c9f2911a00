internal import HeadgateGateway

extension SQLiteDatabase {
    func insert(_ response: KeptResponse, until end: Int64) throws(StoreError) {
        try statement(
            "INSERT INTO responses (id, owner, previous, kept_until, octets) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        ).run(
            .text(response.id), .octets(response.owner), response.previous.map { .text($0) } ?? .null, .integer(end),
            .integer(Int64(response.size)))
        guard changes > 0 else { return }
        try statement("INSERT INTO contents SELECT number, ?, ? FROM responses WHERE id = ?")
            .run(.octets(response.input), .octets(response.document), .text(response.id))
        guard let previous = response.previous else { return }
        // Those before it are extended whenever it is: what lives long enough has nothing older before it that does
        // not.
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

    /// Removes the responses that would end first, until the rest is small enough.
    func makeRoom(_ largest: Int) throws(StoreError) {
        while try number("SELECT octets FROM totals") > Int64(largest) {
            try statement(
                "DELETE FROM responses WHERE number IN (SELECT number FROM responses ORDER BY kept_until, number LIMIT 8)"
            ).run()
            // Nothing is left.
            if changes == 0 { return }
        }
    }

    func response(_ id: String, of owner: [UInt8]?, at now: Int64) throws(StoreError) -> KeptResponse? {
        var found: KeptResponse?
        try statement(
            """
            SELECT owner, previous, input, document FROM responses JOIN contents USING (number)
            WHERE id = ? AND kept_until > ?
            """
        ).rows(.text(id), .integer(now)) { row in
            found = KeptResponse(
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
