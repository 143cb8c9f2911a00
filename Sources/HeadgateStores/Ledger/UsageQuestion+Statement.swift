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

    // Statements are texts of the program. The cost is summed in two parts, so that no sum of SQLite's overflows.

    private static let keyStatement: StaticString = """
        SELECT ifnull(key, '') AS name, count(*), sum(outcome = 'unfinished'), ifnull(sum(prompt_tokens), 0),
            ifnull(sum(completion_tokens), 0), ifnull(sum(cached_tokens), 0), ifnull(sum(cost / 1000000), 0),
            ifnull(sum(cost % 1000000), 0), sum(cost IS NULL)
        FROM requests WHERE ended >= ?1 AND (?2 IS NULL OR key = ?2) GROUP BY name ORDER BY name
        """

    private static let modelStatement: StaticString = """
        SELECT model AS name, count(*), sum(outcome = 'unfinished'), ifnull(sum(prompt_tokens), 0),
            ifnull(sum(completion_tokens), 0), ifnull(sum(cached_tokens), 0), ifnull(sum(cost / 1000000), 0),
            ifnull(sum(cost % 1000000), 0), sum(cost IS NULL)
        FROM requests WHERE ended >= ?1 AND (?2 IS NULL OR key = ?2) GROUP BY name ORDER BY name
        """

    private static let upstreamStatement: StaticString = """
        SELECT ifnull(upstream, '') AS name, count(*), sum(outcome = 'unfinished'), ifnull(sum(prompt_tokens), 0),
            ifnull(sum(completion_tokens), 0), ifnull(sum(cached_tokens), 0), ifnull(sum(cost / 1000000), 0),
            ifnull(sum(cost % 1000000), 0), sum(cost IS NULL)
        FROM requests WHERE ended >= ?1 AND (?2 IS NULL OR key = ?2) GROUP BY name ORDER BY name
        """

    private static let dayStatement: StaticString = """
        SELECT cast(ended / 86400000 * 86400000 AS TEXT) AS name, count(*), sum(outcome = 'unfinished'), ifnull(sum(prompt_tokens), 0),
            ifnull(sum(completion_tokens), 0), ifnull(sum(cached_tokens), 0), ifnull(sum(cost / 1000000), 0),
            ifnull(sum(cost % 1000000), 0), sum(cost IS NULL)
        FROM requests WHERE ended >= ?1 AND (?2 IS NULL OR key = ?2) GROUP BY name ORDER BY name
        """

    private static let minuteStatement: StaticString = """
        SELECT cast(ended / 60000 * 60000 AS TEXT) AS name, count(*), sum(outcome = 'unfinished'), ifnull(sum(prompt_tokens), 0),
            ifnull(sum(completion_tokens), 0), ifnull(sum(cached_tokens), 0), ifnull(sum(cost / 1000000), 0),
            ifnull(sum(cost % 1000000), 0), sum(cost IS NULL)
        FROM requests WHERE ended >= ?1 AND (?2 IS NULL OR key = ?2) GROUP BY name ORDER BY name
        """
}
