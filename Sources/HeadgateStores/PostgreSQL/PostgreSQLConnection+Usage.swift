internal import HeadgateRelay

extension PostgreSQLConnection {
    /// Sets the time limit after which the server cancels a statement. The cause of the resulting error is `cancelled`.
    func limitStatements(to limit: Duration) throws(StoreError) {
        let (seconds, attoseconds) = limit.components
        // 0 would mean no limit.
        let milliseconds = max(seconds * 1000 + attoseconds / 1_000_000_000_000_000, 1)
        try query("SELECT set_config('statement_timeout', $1, false)", [.text(String(milliseconds))])
    }

    /// Returns the rows that answer a query, in the order of their names.
    ///
    /// - Parameter isGivenUp: called many times a second; returns whether to cancel the query.
    func usage(
        _ question: UsageQuestion, within limit: Duration, until isGivenUp: @escaping () -> Bool
    ) throws(StoreError) -> [UsageRow] {
        let rows = try query(
            question.statement,
            [
                .integer(question.since), question.until.map { .integer($0) } ?? .null,
                question.key.map { .text($0.withoutNUL) } ?? .null,
                question.isGateways ? .null : .integer(Int64(UsageQuestion.mostRows)),
            ], within: limit, until: isGivenUp)
        return (0..<rows.count).map { row in
            var usage = UsageRow(rows.text(row, 0))
            let numbers = (1...8).map { Int(rows.integer(row, $0)) }
            (usage.requests, usage.unfinished, usage.estimated) = (numbers[0], numbers[1], numbers[2])
            (usage.promptTokens, usage.completionTokens, usage.cachedTokens) = (numbers[3], numbers[4], numbers[5])
            (usage.cost, usage.unknownCosts) = (numbers[6], numbers[7])
            return usage
        }
    }
}

extension UsageQuestion {
    // Other programs can write any number to the table: negative numbers count as zero, and no request counts for more
    // than the largest count of tokens. Sums of bigint are exact.
    fileprivate var statement: String {
        """
        SELECT * FROM (
            SELECT (\(grouping.column))::text COLLATE "C" AS name, count(*) AS requests,
                count(*) FILTER (WHERE outcome = 'unfinished'), count(*) FILTER (WHERE token_source = 'estimated'),
                \(UsageQuestion.tokens("prompt_tokens")), \(UsageQuestion.tokens("completion_tokens")),
                \(UsageQuestion.tokens("cached_tokens")), \(UsageQuestion.sum("cost")),
                count(*) FILTER (WHERE cost IS NULL)
            FROM headgate.requests
            WHERE ended >= $1::bigint AND ($2::bigint IS NULL OR ended < $2) AND ($3::text IS NULL OR key = $3)
            GROUP BY 1 ORDER BY requests DESC, name LIMIT $4::bigint
        ) AS answer ORDER BY name
        """
    }

    private static func tokens(_ column: String) -> String {
        // `least` would replace NULL by the limit.
        sum("CASE WHEN \(column) > \(LedgerEntry.largestCount) THEN \(LedgerEntry.largestCount) ELSE \(column) END")
    }

    private static func sum(_ column: String) -> String {
        "least(coalesce(sum(greatest(\(column), 0)), 0), 9223372036854775807)::bigint"
    }
}

extension UsageQuestion.Grouping {
    fileprivate var column: String {
        switch self {
        case .key: "key"
        case .model: "model"
        case .upstream: "upstream"
        case .day: "greatest(ended, 0) / 86400000 * 86400000"
        case .minute: "greatest(ended, 0) / 60000 * 60000"
        }
    }
}

extension String {
    /// The text without NUL, which PostgreSQL cannot store and which ends a text for libpq.
    var withoutNUL: String { utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self }
}
