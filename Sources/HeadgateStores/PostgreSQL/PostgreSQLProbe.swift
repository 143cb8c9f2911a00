/// Checks whether a gateway can use a PostgreSQL database, and prepares its tables.
package struct PostgreSQLProbe {
    private let server: PostgreSQLServer

    package init(_ server: PostgreSQLServer) { self.server = server }

    /// Returns a description of the database's state for people, and changes nothing. Waits for the server; must not be
    /// called on a loop.
    package func look() throws(StoreError) -> String {
        let connection = try server.connect()
        guard try PostgreSQLSchema.version(connection) == PostgreSQLSchema.migrations.count else {
            let may = try connection.query(
                """
                SELECT CASE WHEN to_regnamespace('headgate') IS NULL
                    THEN has_database_privilege(current_database(), 'CREATE')
                    ELSE has_schema_privilege('headgate', 'CREATE') END
                """)
            guard may.flag(0, 0) else { throw StoreError(.noTables, server.name, "its role lacks CREATE") }
            return "\(server.name) is reachable, and the gateway makes its tables at its start"
        }
        let lacking = try connection.query(
            """
            SELECT string_agg(privilege || ' on ' || name, ', ') FROM (VALUES
                ('headgate.requests', 'SELECT'), ('headgate.requests', 'INSERT'), ('headgate.requests', 'DELETE'),
                ('headgate.keys', 'SELECT'), ('headgate.keys', 'INSERT'), ('headgate.keys', 'UPDATE'),
                ('headgate.keys', 'DELETE'), ('headgate.former_keys', 'SELECT'), ('headgate.former_keys', 'INSERT'),
                ('headgate.former_keys', 'DELETE'), ('headgate.revoked_keys', 'SELECT'),
                ('headgate.revoked_keys', 'INSERT'), ('headgate.revoked_keys', 'UPDATE'),
                ('headgate.revoked_keys', 'DELETE')) AS needed (name, privilege)
            WHERE NOT has_table_privilege(name, privilege)
            """
        ).text(0, 0)
        guard lacking.isEmpty else { throw StoreError(.forbidden, server.name, "it lacks \(lacking)") }
        return "\(server.name) is reachable, and the gateway may use its tables"
    }

    /// Checks whether the database can be used.
    ///
    /// - Throws: ``StoreError`` for permanent failures only; an unavailable server is not one of them.
    package func checkLasting() throws {
        do throws(StoreError) { _ = try look() } catch  where error.isLasting { throw error } catch {}
    }

    /// Creates the tables, or migrates them to the latest version.
    ///
    /// - Returns: the latest version.
    package func prepare() throws(StoreError) -> Int {
        try PostgreSQLSchema.prepare(try server.connect())
        return PostgreSQLSchema.migrations.count
    }
}
