extension SQLiteSchema {
    /// Schema of the ledger.
    static let ledger = SQLiteSchema(
        // "hgus"
        application: 0x6867_7573, migrations: [requests, kindsOfRequests])

    private static let requests: [StaticString] = [
        // Times are milliseconds since 1970, costs picodollars. A request is identified by its gateway's number and its
        // own.
        """
        CREATE TABLE requests (
            process INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            request_id TEXT NOT NULL,
            started INTEGER NOT NULL,
            ended INTEGER NOT NULL,
            key TEXT,
            operation TEXT NOT NULL,
            model TEXT NOT NULL,
            upstream TEXT,
            upstream_model TEXT,
            status INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            prompt_tokens INTEGER,
            completion_tokens INTEGER,
            cached_tokens INTEGER,
            token_source TEXT,
            cost INTEGER,
            is_stream INTEGER NOT NULL,
            PRIMARY KEY (process, sequence)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX requests_by_end ON requests (ended)",
    ]

    // Properties that many requests have in common are written once, so that a request is one short row at the end of
    // one tree. Its id begins with its time, so that no index is needed.
    private static let kindsOfRequests: [StaticString] = [
        "ALTER TABLE requests RENAME TO requests_1",
        // Ids are never used again, since gateways can remember them. `last` is the approximate end of the latest
        // request.
        """
        CREATE TABLE kinds (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            last INTEGER NOT NULL,
            key TEXT NOT NULL,
            operation TEXT NOT NULL,
            model TEXT NOT NULL,
            upstream TEXT NOT NULL,
            upstream_model TEXT NOT NULL,
            status INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            token_source TEXT NOT NULL,
            is_stream INTEGER NOT NULL,
            UNIQUE (
                key, operation, model, upstream, upstream_model, status, outcome, attempts, token_source, is_stream)
        )
        """,
        // The id is the time of the end times 2^19, plus a number that makes it unique.
        """
        CREATE TABLE entries (
            id INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            request_id TEXT NOT NULL,
            duration INTEGER NOT NULL,
            prompt_tokens INTEGER,
            completion_tokens INTEGER,
            cached_tokens INTEGER,
            cost INTEGER
        )
        """,
        // Last batch that each gateway has written from its journal.
        "CREATE TABLE journals (process INTEGER PRIMARY KEY, batch INTEGER NOT NULL)",
        """
        INSERT INTO kinds (
            last, key, operation, model, upstream, upstream_model, status, outcome, attempts, token_source, is_stream)
        SELECT max(CAST(ended AS INTEGER)), ifnull(key, ''), operation, model, ifnull(upstream, ''),
            ifnull(upstream_model, ''), status, outcome, attempts, ifnull(token_source, ''), is_stream
        FROM requests_1 GROUP BY 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        """,
        """
        INSERT INTO entries
        SELECT (min(max(CAST(ended AS INTEGER), 0), 9223372036854) << 19) + row_number() OVER (
                PARTITION BY min(max(CAST(ended AS INTEGER), 0), 9223372036854) ORDER BY process, sequence),
            kinds.id, request_id, max(CAST(ended AS INTEGER) - CAST(started AS INTEGER), 0),
            prompt_tokens, completion_tokens, cached_tokens, cost
        FROM requests_1 AS old JOIN kinds ON kinds.key = ifnull(old.key, '') AND kinds.operation = old.operation
            AND kinds.model = old.model AND kinds.upstream = ifnull(old.upstream, '')
            AND kinds.upstream_model = ifnull(old.upstream_model, '') AND kinds.status = old.status
            AND kinds.outcome = old.outcome AND kinds.attempts = old.attempts
            AND kinds.token_source = ifnull(old.token_source, '') AND kinds.is_stream = old.is_stream
        """,
        "DROP TABLE requests_1",
        // For people who read the file.
        """
        CREATE VIEW requests AS
        SELECT request_id, (entries.id >> 19) - duration AS started, entries.id >> 19 AS ended, nullif(key, '') AS key,
            operation, model, nullif(upstream, '') AS upstream, nullif(upstream_model, '') AS upstream_model, status,
            outcome, attempts, prompt_tokens, completion_tokens, cached_tokens,
            nullif(token_source, '') AS token_source, cost, is_stream
        FROM entries JOIN kinds ON kinds.id = entries.kind
        """,
    ]
}
