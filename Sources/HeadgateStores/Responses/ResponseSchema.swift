extension SQLiteSchema {
    /// Schema of stored responses and conversations. Long values have separate tables, so that extending a row's
    /// lifetime does not rewrite them.
    static let responses = SQLiteSchema(
        // "hgrs"
        application: 0x6867_7273, migrations: [keptResponses, keptConversations])

    private static let keptResponses: [StaticString] = [
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

    private static let keptConversations: [StaticString] = [
        // Bytes stored for each key.
        "CREATE TABLE owners (owner BLOB PRIMARY KEY, octets INTEGER NOT NULL) WITHOUT ROWID",
        "INSERT INTO owners SELECT owner, sum(octets) FROM responses GROUP BY owner",
        "CREATE INDEX responses_by_owner ON responses (owner, kept_until)",
        """
        CREATE TABLE conversations (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            owner BLOB NOT NULL,
            created INTEGER NOT NULL,
            metadata BLOB NOT NULL,
            version INTEGER NOT NULL,
            kept_until INTEGER NOT NULL,
            octets INTEGER NOT NULL
        )
        """,
        "CREATE INDEX conversations_by_end ON conversations (kept_until)",
        "CREATE INDEX conversations_by_owner ON conversations (owner, kept_until)",
        """
        CREATE TABLE items (
            number INTEGER PRIMARY KEY,
            conversation INTEGER NOT NULL,
            id TEXT NOT NULL,
            octets INTEGER NOT NULL,
            members BLOB NOT NULL,
            UNIQUE (conversation, id)
        )
        """,
        "CREATE INDEX items_in_order ON items (conversation, number)",
        """
        CREATE TRIGGER owners_count AFTER INSERT ON responses BEGIN
            INSERT INTO owners VALUES (new.owner, new.octets)
                ON CONFLICT (owner) DO UPDATE SET octets = octets + excluded.octets;
        END
        """,
        """
        CREATE TRIGGER owners_forget AFTER DELETE ON responses BEGIN
            UPDATE owners SET octets = octets - old.octets WHERE owner = old.owner;
            DELETE FROM owners WHERE owner = old.owner AND octets <= 0;
        END
        """,
        """
        CREATE TRIGGER conversations_count AFTER INSERT ON conversations BEGIN
            UPDATE totals SET octets = octets + new.octets;
            INSERT INTO owners VALUES (new.owner, new.octets)
                ON CONFLICT (owner) DO UPDATE SET octets = octets + excluded.octets;
        END
        """,
        """
        CREATE TRIGGER conversations_change AFTER UPDATE OF octets ON conversations BEGIN
            UPDATE totals SET octets = octets + new.octets - old.octets;
            UPDATE owners SET octets = octets + new.octets - old.octets WHERE owner = old.owner;
        END
        """,
        """
        CREATE TRIGGER conversations_forget AFTER DELETE ON conversations BEGIN
            DELETE FROM items WHERE conversation = old.number;
            UPDATE totals SET octets = octets - old.octets;
            UPDATE owners SET octets = octets - old.octets WHERE owner = old.owner;
            DELETE FROM owners WHERE owner = old.owner AND octets <= 0;
        END
        """,
        """
        CREATE TRIGGER items_count AFTER INSERT ON items BEGIN
            UPDATE conversations SET octets = octets + new.octets WHERE number = new.conversation;
        END
        """,
        """
        CREATE TRIGGER items_forget AFTER DELETE ON items BEGIN
            UPDATE conversations SET octets = octets - old.octets WHERE number = old.conversation;
        END
        """,
    ]
}
