internal import CSQLite

/// The system's SQLite, opened with the first database.
enum SQLiteLibrary {
    /// Nil where the system has none.
    static let functions: headgate_sqlite? = {
        var table = headgate_sqlite()
        return headgate_sqlite_load(&table) == 0 ? table : nil
    }()
}
