extension SQLiteSchema {
    /// Schema of managed keys.
    static let keys = SQLiteSchema(
        // "hgky"
        application: 0x6867_6B79, migrations: [managedKeys, revokedKeys])

    /// Tables of keys. Only digests of keys are stored, with their settings. Each change records the key's name, so
    /// that other processes know which keys to read again.
    private static let managedKeys: [StaticString] = [
        """
        CREATE TABLE keys (
            name TEXT PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE,
            identity BLOB NOT NULL,
            settings TEXT NOT NULL,
            created INTEGER NOT NULL
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE former (
            name TEXT NOT NULL,
            digest BLOB NOT NULL,
            ends INTEGER NOT NULL,
            PRIMARY KEY (name, digest)
        ) WITHOUT ROWID
        """,
        "CREATE TABLE changes (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL)",
        """
        CREATE TRIGGER keys_added AFTER INSERT ON keys BEGIN
            INSERT INTO changes (name) VALUES (new.name);
        END
        """,
        """
        CREATE TRIGGER keys_changed AFTER UPDATE ON keys BEGIN
            INSERT INTO changes (name) VALUES (new.name);
        END
        """,
        """
        CREATE TRIGGER keys_revoked AFTER DELETE ON keys BEGIN
            DELETE FROM former WHERE name = old.name;
            INSERT INTO changes (name) VALUES (old.name);
        END
        """,
        // A process that has missed more than the recorded changes reads everything again.
        """
        CREATE TRIGGER changes_cut AFTER INSERT ON changes BEGIN
            DELETE FROM changes WHERE number <= new.number - 10000;
        END
        """,
    ]

    /// Settings of revoked keys in groups, whose usage still counts for their groups. They are stored for as long as
    /// budgets reach back.
    private static let revokedKeys: [StaticString] = [
        "CREATE TABLE revoked (name TEXT PRIMARY KEY, settings TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID",
        """
        CREATE TRIGGER keys_remembered AFTER DELETE ON keys WHEN old.settings LIKE '%"group"%' BEGIN
            INSERT OR REPLACE INTO revoked
                VALUES (old.name, old.settings, CAST(strftime('%s', 'now') AS INTEGER));
            DELETE FROM revoked WHERE at < CAST(strftime('%s', 'now') AS INTEGER) - 32 * 86400;
        END
        """,
    ]
}
