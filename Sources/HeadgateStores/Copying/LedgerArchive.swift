internal import HeadgateRelay

/// All requests of a ledger, as read and written by copies.
protocol LedgerArchive: AnyObject {
    /// Returns the requests that ended in an interval, earliest first.
    ///
    /// - Parameters:
    ///   - start: milliseconds since 1970.
    ///   - end: milliseconds since 1970; nil for no end.
    ///   - limit: maximum number; nil for all.
    func requests(from start: Int64, before end: Int64?, limit: Int?) throws(StoreError) -> [LedgerEntry]

    /// Returns the requests that ended at the given times.
    ///
    /// - Parameter times: milliseconds since 1970, ascending.
    func requests(at times: [Int64]) throws(StoreError) -> [LedgerEntry]

    /// Adds requests in one transaction.
    func add(_ rows: [LedgerRow]) throws(StoreError)
}

extension SQLiteDatabase {
    fileprivate func requests(
        from start: Int64, before end: Int64?, limit: Int?
    ) throws(StoreError) -> [LedgerEntry] {
        var entries: [LedgerEntry] = []
        try statement(
            """
            SELECT request_id, (entries.id >> 19) - duration, entries.id >> 19, key, operation, model, upstream,
                upstream_model, status, outcome, attempts, prompt_tokens, completion_tokens, cached_tokens,
                token_source, cost, is_stream
            FROM entries JOIN kinds ON kinds.id = entries.kind
            WHERE entries.id >= ?1 AND (?2 IS NULL OR entries.id < ?2) ORDER BY entries.id LIMIT ?3
            """
        ).rows(
            .integer(LedgerWriter.firstID(endedAt: start)),
            end.map { .integer(LedgerWriter.firstID(endedAt: $0)) } ?? .null, .integer(Int64(limit ?? -1))
        ) { row in
            entries.append(
                LedgerEntry(
                    text: { row.text($0) }, number: { row.isNull($0) ? nil : Int(row.integer($0)) },
                    isStream: row.integer(16) != 0))
        }
        return entries
    }
}

/// A ledger in an SQLite file.
final class SQLiteArchive: LedgerArchive {
    private let database: SQLiteDatabase
    private let writer: LedgerWriter
    /// Process number of the copy, which writes like another gateway.
    private let process = Int64.random(in: 1...Int64.max)
    private var batch: Int64 = 0

    init(_ file: String) throws(StoreError) {
        database = try SQLiteDatabase(file, schema: .ledger)
        writer = LedgerWriter(database)
    }

    func requests(from start: Int64, before end: Int64?, limit: Int?) throws(StoreError) -> [LedgerEntry] {
        try database.requests(from: start, before: end, limit: limit)
    }

    func requests(at times: [Int64]) throws(StoreError) -> [LedgerEntry] {
        var entries: [LedgerEntry] = []
        for time in times { entries += try database.requests(from: time, before: time + 1, limit: nil) }
        return entries
    }

    func add(_ rows: [LedgerRow]) throws(StoreError) {
        batch += 1
        try writer.write(
            rows.enumerated().map { JournalEntry(place: $0.offset, row: $0.element) }, of: process, batch: batch)
    }
}

/// A ledger in PostgreSQL.
final class PostgreSQLArchive: LedgerArchive {
    private let database: PostgreSQLLedgerDatabase
    private let link: PostgreSQLLink
    private let process = Int64.random(in: 1...Int64.max)

    init(_ server: PostgreSQLServer) {
        database = PostgreSQLLedgerDatabase(server)
        link = PostgreSQLLink(to: server)
    }

    func requests(from start: Int64, before end: Int64?, limit: Int?) throws(StoreError) -> [LedgerEntry] {
        try requests(
            """
            ended >= $1::bigint AND ($2::bigint IS NULL OR ended < $2)
                ORDER BY ended, process, sequence LIMIT $3::bigint
            """,
            [.integer(start), end.map { .integer($0) } ?? .null, limit.map { .integer(Int64($0)) } ?? .null])
    }

    func requests(at times: [Int64]) throws(StoreError) -> [LedgerEntry] {
        try requests("ended = ANY ($1::bigint[])", [.integers(times)])
    }

    private func requests(
        _ condition: String, _ values: [PostgreSQLValue]
    ) throws(StoreError) -> [LedgerEntry] {
        let rows = try link.retrying { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT request_id, started, ended, key, operation, model, upstream, upstream_model, status, outcome,
                    attempts, prompt_tokens, completion_tokens, cached_tokens, token_source, cost, is_stream
                FROM headgate.requests WHERE \(condition)
                """, values, within: connection.server.patience.work)
        }
        return (0..<rows.count).map { row in
            LedgerEntry(
                text: { rows.text(row, $0) }, number: { rows.optionalInteger(row, $0).map { Int($0) } },
                isStream: rows.flag(row, 16))
        }
    }

    func add(_ rows: [LedgerRow]) throws(StoreError) { try database.write(rows, of: process) }
}

extension LedgerEntry {
    /// - Parameters:
    ///   - text: returns the text of a column, in the order of the `SELECT` statements above.
    ///   - number: returns the number of a column; nil for NULL.
    fileprivate init(text: (Int) -> String, number: (Int) -> Int?, isStream: Bool) {
        self.init()
        func name(_ column: Int) -> String? {
            let name = text(column)
            return name.isEmpty ? nil : name
        }
        requestID = text(0)
        (startedAt, endedAt) = (Int64(number(1) ?? 0), Int64(number(2) ?? 0))
        (key, operation, model) = (name(3), text(4), text(5))
        (upstream, upstreamModel) = (name(6), name(7))
        (status, outcome, attempts) = (number(8) ?? 0, text(9), number(10) ?? 0)
        (promptTokens, completionTokens, cachedTokens) = (number(11), number(12), number(13))
        source = Source(rawValue: text(14))
        cost = number(15)
        self.isStream = isStream
    }
}
