/// Copies and checks of database files.
package enum StoreSnapshot {
    /// Writes a copy of the database as it is at one instant. Other processes can read and write the database
    /// meanwhile.
    ///
    /// - Parameter target: path of the copy, which must not exist.
    /// - Throws: ``StoreError``.
    package static func copy(_ file: String, to target: String) throws(StoreError) {
        let database = try SQLiteDatabase(file, schema: nil)
        let statement = try SQLiteStatement("VACUUM INTO '\(target.replacing("'", with: "''"))'", of: database)
        while try statement.step() {}
    }

    /// Whether the database is intact.
    ///
    /// - Throws: ``StoreError`` for a file that is not a database.
    package static func isWhole(_ file: String) throws(StoreError) -> Bool {
        let database = try SQLiteDatabase(file, schema: nil)
        let statement = try SQLiteStatement("PRAGMA quick_check(1)", of: database)
        let isWhole = try statement.step() && statement.text(0) == "ok"
        statement.rest()
        try close(database)
        return isWhole
    }

    /// Kind of store with a schema version.
    package enum Kind {
        case ledger
        case keys
        case responses
    }

    /// Whether an older version wrote the file, so that opening it migrates its tables.
    ///
    /// - Throws: ``StoreError`` for a file that is not such a store.
    package static func isOutdated(_ file: String, _ kind: Kind) throws(StoreError) -> Bool {
        switch kind {
        case .ledger: try SQLiteSchema.ledger.isOutdated(file)
        case .keys: try SQLiteSchema.keys.isOutdated(file)
        case .responses: try SQLiteSchema.responses.isOutdated(file)
        }
    }

    /// Moves the contents of the write-ahead log (`-wal`) into the database, and removes the log.
    ///
    /// - Throws: ``StoreError``, with the cause `busy` while another process has the database open.
    package static func release(_ file: String) throws(StoreError) {
        try close(try SQLiteDatabase(file, schema: nil))
    }

    /// Leaves write-ahead mode, which only the sole user of a database can do.
    private static func close(_ database: SQLiteDatabase) throws(StoreError) {
        try database.execute("PRAGMA journal_mode=DELETE")
    }
}
