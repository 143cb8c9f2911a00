extension SQLiteSchema {
    /// Of what requests have used.
    static let ledger = SQLiteSchema(
        // "hgus"
        application: 0x6867_7573, migrations: [requests])

    private static let requests: [StaticString] = [
        // Times are milliseconds since 1970, costs picodollars. A request is known by its gateway's number and its own.
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
}
