internal import HeadgateRelay

extension SQLiteDatabase {
    /// Returns the rows that answer a query, in the order of their names.
    func usage(_ question: UsageQuestion) throws(StoreError) -> [UsageRow] {
        var rows: [UsageRow] = []
        let since = LedgerWriter.firstID(endedAt: question.since)
        let until: SQLiteStatement.Value =
            question.until.map { .integer(LedgerWriter.firstID(endedAt: $0)) } ?? .null
        let key: SQLiteStatement.Value = question.key.map { .text($0) } ?? .null
        let most = question.isGateways ? Int.max : UsageQuestion.mostRows
        let grouping = question.grouping
        try statement(UsageQuestion.statement).rows(
            .integer(since), until, key, .text(grouping.rawValue), .integer(grouping.milliseconds),
            .integer(Int64(most))
        ) { row in
            var usage = UsageRow(row.text(0))
            usage.requests = Int(row.integer(1))
            usage.unfinished = Int(row.integer(2))
            usage.promptTokens = Int(row.integer(3))
            usage.completionTokens = Int(row.integer(4))
            usage.cachedTokens = Int(row.integer(5))
            let (high, overflows) = Int(row.integer(6)).multipliedReportingOverflow(by: 1_000_000)
            let (sum, isTooMuch) = high.addingReportingOverflow(Int(row.integer(7)))
            usage.cost = overflows || isTooMuch ? .max : sum
            usage.unknownCosts = Int(row.integer(8))
            usage.estimated = Int(row.integer(9))
            rows.append(usage)
        }
        return rows
    }
}

extension UsageQuestion {
    // Other programs can write any number to the file: negative numbers count as zero, and no request counts for more
    // than ``LedgerEntry/largestCount`` tokens. The cost is summed in two parts, so that the sums are exact.
    fileprivate static let statement: StaticString = """
        SELECT * FROM (
            SELECT CASE ?4 WHEN 'key' THEN key WHEN 'model' THEN model WHEN 'upstream' THEN upstream
                    ELSE cast((entries.id >> 19) / ?5 * ?5 AS TEXT) END AS name, count(*) AS requests,
                sum(outcome = 'unfinished'),
                cast(total(min(max(cast(prompt_tokens AS INTEGER), 0), 1099511627776)) AS INTEGER),
                cast(total(min(max(cast(completion_tokens AS INTEGER), 0), 1099511627776)) AS INTEGER),
                cast(total(min(max(cast(cached_tokens AS INTEGER), 0), 1099511627776)) AS INTEGER),
                cast(total(max(cost, 0) / 1000000) AS INTEGER), cast(total(max(cost, 0) % 1000000) AS INTEGER),
                sum(cost IS NULL), sum(token_source = 'estimated')
            FROM entries JOIN kinds ON kinds.id = entries.kind
            WHERE entries.id >= ?1 AND (?2 IS NULL OR entries.id < ?2) AND (?3 IS NULL OR key = ?3)
            GROUP BY name ORDER BY requests DESC, name LIMIT ?6
        ) ORDER BY name
        """
}

extension UsageQuestion.Grouping {
    /// Milliseconds of a group of times; 0 for other groups.
    fileprivate var milliseconds: Int64 {
        switch self {
        case .day: 86_400_000
        case .minute: 60_000
        case .key, .model, .upstream: 0
        }
    }
}
