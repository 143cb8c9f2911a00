extension SQLiteSchema {
    /// Of kept responses. What is long has a table of its own: rows that only live longer are not written anew with it.
    static let responses = SQLiteSchema(
        // "hgrs"
        application: 0x6867_7273,
        migrations: [
            [
                """
                CREATE TABLE responses (
                    number INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE,
                    owner BLOB NOT NULL,
                    previous TEXT,
                    kept_until INTEGER NOT NULL,
                    octets INTEGER NOT NULL
                )
                """,
                "CREATE INDEX responses_by_end ON responses (kept_until)",
                """
                CREATE TABLE contents (
                    number INTEGER PRIMARY KEY,
                    input BLOB NOT NULL,
                    document BLOB NOT NULL
                )
                """,
                "CREATE TABLE totals (octets INTEGER NOT NULL)",
                "INSERT INTO totals VALUES (0)",
                """
                CREATE TRIGGER responses_count AFTER INSERT ON responses BEGIN
                    UPDATE totals SET octets = octets + new.octets;
                END
                """,
                """
                CREATE TRIGGER responses_forget AFTER DELETE ON responses BEGIN
                    DELETE FROM contents WHERE number = old.number;
                    UPDATE totals SET octets = octets - old.octets;
                END
                """,
            ]
        ])
}
