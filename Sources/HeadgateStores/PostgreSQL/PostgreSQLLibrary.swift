internal import CPostgreSQL

/// The system's libpq, opened with the first connection.
enum PostgreSQLLibrary {
    /// Nil where the system has none.
    static let functions: headgate_postgresql? = {
        var table = headgate_postgresql()
        return headgate_postgresql_load(&table) == 0 ? table : nil
    }()
}
