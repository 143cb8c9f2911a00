/// Copies of a database file as it is at one instant.
package enum StoreSnapshot {
    /// Writes a copy. Other processes can read and write the database meanwhile.
    ///
    /// - Parameter target: must not exist.
    /// - Throws: ``StoreError``.
    package static func copy(_ file: String, to target: String) throws(StoreError) {
        let database = try SQLiteDatabase(file, schema: nil)
        let statement = try SQLiteStatement("VACUUM INTO '\(target.replacing("'", with: "''"))'", of: database)
        while try statement.step() {}
    }

    /// Whether the file is a whole database.
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

    /// A kind of store that has a version.
    package enum Kind {
        case ledger
        case keys
        case responses
    }

    /// Whether an older version has written the file, so that this one changes its tables.
    ///
    /// - Throws: ``StoreError`` for a file that is not such a store.
    package static func isOutdated(_ file: String, _ kind: Kind) throws(StoreError) -> Bool {
        switch kind {
        case .ledger: try SQLiteSchema.ledger.isOutdated(file)
        case .keys: try SQLiteSchema.keys.isOutdated(file)
        case .responses: try SQLiteSchema.responses.isOutdated(file)
        }
    }

    /// Puts what is in the file beside a database (`-wal`) into it, and removes that file.
    ///
    /// - Throws: ``StoreError``, with the cause `busy` while another process has the database open.
    package static func release(_ file: String) throws(StoreError) {
        try close(try SQLiteDatabase(file, schema: nil))
    }

    /// Only a sole user of a database can leave the mode in which other processes read while it writes.
    private static func close(_ database: SQLiteDatabase) throws(StoreError) {
        try database.execute("PRAGMA journal_mode=DELETE")
    }
}
