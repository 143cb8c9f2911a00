internal import HeadgateGateway

extension SQLiteDatabase {
    /// What is there already stays as it is.
    func insert(_ request: JournalEntry) throws(StoreError) {
        let entry = request.entry.inRange
        func text(_ text: String?) -> SQLiteStatement.Value { text.map { .text($0) } ?? .null }
        func count(_ number: Int?) -> SQLiteStatement.Value { number.map { .integer(Int64($0)) } ?? .null }
        try statement("INSERT OR IGNORE INTO requests VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)").run(
            .integer(request.process), .integer(request.sequence), .text(entry.requestID), .integer(entry.startedAt),
            .integer(entry.endedAt), text(entry.key), .text(entry.operation), .text(entry.model), text(entry.upstream),
            text(entry.upstreamModel), .integer(Int64(entry.status)), .text(entry.outcome),
            .integer(Int64(entry.attempts)), count(entry.promptTokens), count(entry.completionTokens),
            count(entry.cachedTokens), text(entry.source?.rawValue), count(entry.cost),
            .integer(entry.isStream ? 1 : 0))
    }

    /// Removes some of the requests that ended before.
    ///
    /// - Parameter end: milliseconds since 1970.
    /// - Returns: whether there may be more.
    func forget(before end: Int64) throws(StoreError) -> Bool {
        try statement(
            """
            DELETE FROM requests WHERE (process, sequence) IN
                (SELECT process, sequence FROM requests WHERE ended < ? ORDER BY ended LIMIT 1000)
            """
        ).run(.integer(end))
        return changes == 1000
    }

    /// In the order of the names.
    func usage(_ question: UsageQuestion) throws(StoreError) -> [UsageRow] {
        var rows: [UsageRow] = []
        let key: SQLiteStatement.Value = question.key.map { .text($0) } ?? .null
        try statement(question.grouping.statement).rows(.integer(question.since), key) { row in
            var usage = UsageRow(row.isNull(0) ? "" : row.text(0))
            usage.requests = Int(row.integer(1))
            usage.unfinished = Int(row.integer(2))
            usage.promptTokens = Int(row.integer(3))
            usage.completionTokens = Int(row.integer(4))
            usage.cachedTokens = Int(row.integer(5))
            let (high, overflows) = Int(row.integer(6)).multipliedReportingOverflow(by: 1_000_000)
            let (sum, isTooMuch) = high.addingReportingOverflow(Int(row.integer(7)))
            usage.cost = overflows || isTooMuch ? .max : sum
            usage.unknownCosts = Int(row.integer(8))
            rows.append(usage)
        }
        return rows
    }
}
