internal import HeadgateRelay

/// Writes requests to a ledger's database. Used by the thread of the database.
final class LedgerWriter {
    /// Low bits of an entry's id, below the time of its end.
    private static let idBits: Int64 = 19
    /// Milliseconds for which kinds are stored after their last request has expired: twice the maximum delay before a
    /// gateway records their use.
    private static let kindsKept = 2 * LedgerKindCache.refreshed
    /// Number of the batch with the remaining requests of a killed gateway. No batch follows it.
    static let lastBatch = Int64.max

    let database: SQLiteDatabase
    @exclusivity(unchecked) private var kinds = LedgerKindCache()
    private var bulkInsertions: [Int: SQLiteStatement] = [:]

    init(_ database: SQLiteDatabase) { self.database = database }

    /// Returns the smallest id of a request that ended at a time.
    ///
    /// - Parameter endedAt: milliseconds since 1970.
    static func firstID(endedAt: Int64) -> Int64 { min(max(endedAt, 0), LedgerEntry.latestTime) << idBits }

    func latestEnd() throws(StoreError) -> Int64 {
        var latest: Int64 = 0
        try database.statement("SELECT coalesce(max(id), 0) FROM entries").rows { latest = $0.integer(0) }
        return latest >> LedgerWriter.idBits
    }

    /// Writes requests of a journal in one transaction, except those that were written already.
    ///
    /// - Parameters:
    ///   - process: the number of the journal's gateway.
    ///   - batch: the number of this batch, above all earlier ones of the journal.
    ///   - note: called with each request that is about to be written.
    func write(
        _ entries: [JournalEntry], of process: Int64, batch: Int64, note: (JournalEntry) -> Void = { _ in }
    ) throws(StoreError) {
        do throws(StoreError) {
            try database.transaction { () throws(StoreError) in
                let written = try lastBatch(of: process)
                // All its requests are written; the writer was killed before it could remove the journal.
                if written == LedgerWriter.lastBatch { return }
                try insert(entries.filter { $0.row.batch == 0 || $0.row.batch > written }, note)
                try database.statement("INSERT OR REPLACE INTO journals VALUES (?, ?)").run(
                    .integer(process), .integer(batch))
            }
        } catch {
            // The added kinds were rolled back.
            kinds = LedgerKindCache()
            throw error
        }
    }

    private func lastBatch(of process: Int64) throws(StoreError) -> Int64 {
        var batch: Int64 = 0
        try database.statement("SELECT batch FROM journals WHERE process = ?").rows(.integer(process)) {
            batch = $0.integer(0)
        }
        return batch
    }

    private static func id(of row: LedgerRow) -> Int64 {
        firstID(endedAt: row.endedAt) | row.sequence & (1 << idBits - 1)
    }

    // MARK: Rows

    /// Numbers of rows that one statement writes. More rows per statement cost less per row.
    private static let crowds = [64, 8]

    private func insert(_ entries: [JournalEntry], _ note: (JournalEntry) -> Void) throws(StoreError) {
        // Ascending ids cost the least.
        let ordered = entries.map { (id: LedgerWriter.id(of: $0.row), entry: $0) }.sorted { $0.id < $1.id }
        for (_, entry) in ordered { note(entry) }
        var rest = ordered[...]
        defer { for insertion in bulkInsertions.values { insertion.rest() } }
        for crowd in LedgerWriter.crowds {
            while rest.count >= crowd {
                let rows = rest.prefix(crowd)
                // Two requests of one batch can have the same id: sequence numbers repeat, and journals can be damaged.
                guard let first = rows.first?.id, let last = rows.last?.id,
                    zip(rows, rows.dropFirst()).allSatisfy({ $0.id < $1.id }), try isFree(first...last)
                else { break }
                let insertion = try bulkInsertion(of: crowd)
                for (number, row) in rows.enumerated() {
                    let place = Int32(LedgerWriter.columns * number + 1)
                    try insertion.bind(place, row.id)
                    try bind(row.entry.row, to: insertion, from: place + 1)
                }
                try insertion.runBound()
                rest = rest.dropFirst(crowd)
            }
        }
        let insertion = try database.statement("INSERT OR IGNORE INTO entries VALUES (?,?,?,?,?,?,?,?)")
        defer { insertion.rest() }
        for (id, entry) in rest { try insert(entry.row, id, insertion) }
    }

    /// Whether no request has an id in the range.
    private func isFree(_ ids: ClosedRange<Int64>) throws(StoreError) -> Bool {
        var isFree = true
        try database.statement("SELECT 1 FROM entries WHERE id BETWEEN ? AND ? LIMIT 1").rows(
            .integer(ids.lowerBound), .integer(ids.upperBound)
        ) { _ in isFree = false }
        return isFree
    }

    private static let columns = 8

    private func bulkInsertion(of crowd: Int) throws(StoreError) -> SQLiteStatement {
        if let insertion = bulkInsertions[crowd] { return insertion }
        let rows = Array(repeating: "(?,?,?,?,?,?,?,?)", count: crowd).joined(separator: ",")
        let insertion = try SQLiteStatement("INSERT INTO entries VALUES \(rows)", of: database)
        bulkInsertions[crowd] = insertion
        return insertion
    }

    private func bind(_ row: LedgerRow, to insertion: SQLiteStatement, from place: Int32) throws(StoreError) {
        try insertion.bind(place, try kind(of: row))
        try insertion.bind(place + 1, row.requestID)
        try insertion.bind(place + 2, row.duration)
        try insertion.bind(place + 3, row.promptTokens)
        try insertion.bind(place + 4, row.completionTokens)
        try insertion.bind(place + 5, row.cachedTokens)
        try insertion.bind(place + 6, row.cost)
    }

    private func insert(_ row: LedgerRow, _ first: Int64, _ insertion: SQLiteStatement) throws(StoreError) {
        try bind(row, to: insertion, from: 2)
        var id = first
        while true {
            try insertion.bind(1, id)
            try insertion.runBound()
            if database.changes == 1 { return }
            // Another request has this id.
            try database.statement("SELECT max(id) + 1 FROM entries WHERE id < ?").rows(
                .integer((id >> LedgerWriter.idBits + 1) << LedgerWriter.idBits)
            ) { id = $0.integer(0) }
        }
    }

    // MARK: Kinds

    private func kind(of row: LedgerRow) throws(StoreError) -> Int64 {
        if let id = kinds.id(of: row) { return id }
        let kind = row.kind
        let insertion = try database.statement(
            """
            INSERT INTO kinds (
                key, operation, model, upstream, upstream_model, status, outcome, attempts, token_source, is_stream,
                last)
            VALUES (?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET last = max(last, excluded.last)
            """)
        try insertion.bind(kind)
        try insertion.bind(11, row.endedAt)
        try insertion.runBound()
        insertion.rest()
        let question = try database.statement(
            """
            SELECT id FROM kinds WHERE key = ? AND operation = ? AND model = ? AND upstream = ? AND upstream_model = ?
                AND status = ? AND outcome = ? AND attempts = ? AND token_source = ? AND is_stream = ?
            """)
        try question.bind(kind)
        defer { question.rest() }
        guard try question.step() else { throw StoreError(.failed, database.file, "a row is gone") }
        let id = question.integer(0)
        kinds.keep(id, for: row)
        return id
    }

    // MARK: Forgetting

    /// Removes some of the requests that ended before a time.
    ///
    /// - Parameter end: milliseconds since 1970.
    /// - Returns: whether there can be more.
    func forget(before end: Int64) throws(StoreError) -> Bool {
        var isLeft = false
        try database.transaction { () throws(StoreError) in
            try database.statement(
                "DELETE FROM entries WHERE id IN (SELECT id FROM entries WHERE id < ? ORDER BY id LIMIT 1000)"
            ).run(.integer(LedgerWriter.firstID(endedAt: end)))
            isLeft = database.changes == 1000
            if !isLeft {
                let (last, underflows) = end.subtractingReportingOverflow(LedgerWriter.kindsKept)
                try database.statement("DELETE FROM kinds WHERE last < ?").run(.integer(underflows ? .min : last))
                if database.changes > 0 { kinds = LedgerKindCache() }
            }
        }
        return isLeft
    }

    /// Removes the batches of gateways without a journal.
    ///
    /// - Parameter isThere: returns whether a gateway has a journal.
    func forgetJournals(unless isThere: (_ process: Int64) -> Bool) throws(StoreError) {
        var gone: [Int64] = []
        try database.statement("SELECT process FROM journals").rows { row in
            if !isThere(row.integer(0)) { gone.append(row.integer(0)) }
        }
        guard !gone.isEmpty else { return }
        try database.transaction { () throws(StoreError) in
            for process in gone {
                try database.statement("DELETE FROM journals WHERE process = ?").run(.integer(process))
            }
        }
    }
}

extension SQLiteStatement {
    /// Binds a kind to the first ten parameters.
    fileprivate func bind(_ kind: LedgerKind) throws(StoreError) {
        try bind(1, kind.key)
        try bind(2, kind.operation)
        try bind(3, kind.model)
        try bind(4, kind.upstream)
        try bind(5, kind.upstreamModel)
        try bind(6, kind.status)
        if let outcome = kind.outcome { try bind(7, outcome) } else { try bind(7, LedgerEntry.unfinished) }
        try bind(8, kind.attempts)
        try bind(9, kind.source?.rawValue ?? "")
        try bind(10, kind.isStream ? 1 : 0)
    }
}
