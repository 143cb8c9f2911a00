internal import HeadgateRelay

/// Table of a ledger in PostgreSQL, as used by the collecting thread.
///
/// Several gateways can write to it concurrently. A request is identified by the time of its end, its gateway's number
/// and its own, so writing it again changes nothing. Therefore neither batches nor journals are recorded there.
final class PostgreSQLLedgerDatabase: LedgerDatabase {
    private let link: PostgreSQLLink

    /// Rows removed per statement.
    private static let portion = 10_000

    init(_ server: PostgreSQLServer) { link = PostgreSQLLink(to: server) }

    var name: String { link.server.name }

    func write(
        _ entries: [JournalEntry], of process: Int64, batch: Int64, note: (JournalEntry) -> Void
    ) throws(StoreError) {
        for entry in entries { note(entry) }
        try write(entries.map(\.row), of: process)
    }

    /// - Parameter rows: rows with distinct numbers.
    func write(_ rows: [LedgerRow], of process: Int64) throws(StoreError) {
        let values = PostgreSQLLedgerDatabase.values(rows, process)
        try link.retrying { (connection) throws(StoreError) in
            try connection.query(
                PostgreSQLLedgerDatabase.insertion, values, within: connection.server.patience.work)
        }
    }

    /// Returns the parameters of the insertion, one array per column.
    private static func values(_ rows: [LedgerRow], _ process: Int64) -> [PostgreSQLValue] {
        let kinds = rows.map(\.kind)
        var unfinished = LedgerEntry.unfinished
        return unfinished.withUTF8 { unfinished in
            [
                .integers(rows.map(\.endedAt)), .integer(process), .integers(rows.map(\.sequence)),
                .texts(rows.map(\.requestID)), .integers(rows.map { $0.endedAt - $0.duration }),
                .texts(kinds.map(\.key)), .texts(kinds.map(\.operation)), .texts(kinds.map(\.model)),
                .texts(kinds.map(\.upstream)), .texts(kinds.map(\.upstreamModel)), .integers(kinds.map(\.status)),
                .texts(kinds.map { $0.outcome ?? LedgerRow.Text(unfinished) }), .integers(kinds.map(\.attempts)),
                .integers(rows.map(\.promptTokens)), .integers(rows.map(\.completionTokens)),
                .integers(rows.map(\.cachedTokens)),
                .text("{\(kinds.map { "\"\($0.source?.rawValue ?? "")\"" }.joined(separator: ","))}"),
                .integers(rows.map(\.cost)), .text("{\(kinds.map { $0.isStream ? "t" : "f" }.joined(separator: ","))}"),
            ]
        }
    }

    private static let insertion = """
        INSERT INTO headgate.requests (
            ended, process, sequence, request_id, started, key, operation, model, upstream, upstream_model, status,
            outcome, attempts, prompt_tokens, completion_tokens, cached_tokens, token_source, cost, is_stream)
        SELECT ended, $2::bigint, sequence, request_id, started, key, operation, model, upstream, upstream_model,
            status, outcome, attempts, prompt_tokens, completion_tokens, cached_tokens, token_source, cost, is_stream
        FROM unnest(
            $1::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[],
            $10::text[], $11::int[], $12::text[], $13::int[], $14::bigint[], $15::bigint[], $16::bigint[],
            $17::text[], $18::bigint[], $19::boolean[]
        ) AS r (
            ended, sequence, request_id, started, key, operation, model, upstream, upstream_model, status, outcome,
            attempts, prompt_tokens, completion_tokens, cached_tokens, token_source, cost, is_stream)
        ON CONFLICT DO NOTHING
        """

    func latestEnd() throws(StoreError) -> Int64 {
        try link.retrying { (connection) throws(StoreError) in
            try connection.query("SELECT coalesce(max(ended), 0) FROM headgate.requests").integer(0, 0)
        }
    }

    func forget(before end: Int64) throws(StoreError) -> Bool {
        try link.retrying { (connection) throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                // If another gateway is removing requests, it does so for all gateways.
                let lock = PostgreSQLSchema.Lock.forgetting.arguments
                guard try connection.query("SELECT pg_try_advisory_xact_lock(\(lock))").flag(0, 0) else { return false }
                let removed = try connection.query(
                    """
                    DELETE FROM headgate.requests WHERE ctid = ANY (ARRAY(
                        SELECT ctid FROM headgate.requests WHERE ended < $1::bigint ORDER BY ended
                            LIMIT \(PostgreSQLLedgerDatabase.portion)))
                    """, [.integer(end)], within: connection.server.patience.work)
                return removed.changes == PostgreSQLLedgerDatabase.portion
            }
        }
    }

    func forgetJournals(unless _: (Int64) -> Bool) {}
}
