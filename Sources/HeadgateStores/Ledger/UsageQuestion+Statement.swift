internal import HeadgateGateway

extension UsageQuestion.Grouping {
    /// What answers it: its parameters are the time since when, and a key's name or null.
    var statement: StaticString {
        switch self {
        case .key: Self.keyStatement
        case .model: Self.modelStatement
        case .upstream: Self.upstreamStatement
        case .day: Self.dayStatement
        case .minute: Self.minuteStatement
        }
    }

    // Statements are texts of the program. Who writes into the file may write any number there: negative ones count as
    // none, and what does not fit is the largest. The cost is summed in two parts, so that its sums are exact.

    private static let keyStatement: StaticString = """
        SELECT * FROM (
            SELECT ifnull(key, '') AS name, count(*) AS requests,
                sum(outcome = 'unfinished'), cast(total(max(prompt_tokens, 0)) AS INTEGER),
                cast(total(max(completion_tokens, 0)) AS INTEGER), cast(total(max(cached_tokens, 0)) AS INTEGER),
                cast(total(max(cost, 0) / 1000000) AS INTEGER), cast(total(max(cost, 0) % 1000000) AS INTEGER),
                sum(cost IS NULL)
            FROM requests WHERE ended >= ?1 AND (?2 IS NULL OR key = ?2)
            GROUP BY name ORDER BY requests DESC, name LIMIT 10000
        ) ORDER BY name
        """

    private static let modelStatement: StaticString = """
        SELECT * FROM (
            SELECT model AS name, count(*) AS requests,
                sum(outcome = 'unfinished'), cast(total(max(prompt_tokens, 0)) AS INTEGER),
                cast(total(max(completion_tokens, 0)) AS INTEGER), cast(total(max(cached_tokens, 0)) AS INTEGER),
                cast(total(max(cost, 0) / 1000000) AS INTEGER), cast(total(max(cost, 0) % 1000000) AS INTEGER),
                sum(cost IS NULL)
            FROM requests WHERE ended >= ?1 AND (?2 IS NULL OR key = ?2)
            GROUP BY name ORDER BY requests DESC, name LIMIT 10000
        ) ORDER BY name
        """

    private static let upstreamStatement: StaticString = """
        SELECT * FROM (
            SELECT ifnull(upstream, '') AS name, count(*) AS requests,
                sum(outcome = 'unfinished'), cast(total(max(prompt_tokens, 0)) AS INTEGER),
                cast(total(max(completion_tokens, 0)) AS INTEGER), cast(total(max(cached_tokens, 0)) AS INTEGER),
                cast(total(max(cost, 0) / 1000000) AS INTEGER), cast(total(max(cost, 0) % 1000000) AS INTEGER),
                sum(cost IS NULL)
            FROM requests WHERE ended >= ?1 AND (?2 IS NULL OR key = ?2)
            GROUP BY name ORDER BY requests DESC, name LIMIT 10000
        ) ORDER BY name
        """

    private static let dayStatement: StaticString = """
        SELECT * FROM (
            SELECT cast(min(max(ended, 0), 9223372036854) / 86400000 * 86400000 AS TEXT) AS name, count(*) AS requests,
                sum(outcome = 'unfinished'), cast(total(max(prompt_tokens, 0)) AS INTEGER),
                cast(total(max(completion_tokens, 0)) AS INTEGER), cast(total(max(cached_tokens, 0)) AS INTEGER),
                cast(total(max(cost, 0) / 1000000) AS INTEGER), cast(total(max(cost, 0) % 1000000) AS INTEGER),
                sum(cost IS NULL)
            FROM requests WHERE ended >= ?1 AND (?2 IS NULL OR key = ?2)
            GROUP BY name ORDER BY requests DESC, name LIMIT 10000
        ) ORDER BY name
        """

    private static let minuteStatement: StaticString = """
        SELECT * FROM (
            SELECT cast(min(max(ended, 0), 9223372036854) / 60000 * 60000 AS TEXT) AS name, count(*) AS requests,
                sum(outcome = 'unfinished'), cast(total(max(prompt_tokens, 0)) AS INTEGER),
                cast(total(max(completion_tokens, 0)) AS INTEGER), cast(total(max(cached_tokens, 0)) AS INTEGER),
                cast(total(max(cost, 0) / 1000000) AS INTEGER), cast(total(max(cost, 0) % 1000000) AS INTEGER),
                sum(cost IS NULL)
            FROM requests WHERE ended >= ?1 AND (?2 IS NULL OR key = ?2)
            GROUP BY name ORDER BY requests DESC, name LIMIT 10000
        ) ORDER BY name
        """
}
