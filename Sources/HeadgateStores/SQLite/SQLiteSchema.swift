internal import HeadgateLibC

/// Tables of one kind of store, as migrations from version to version. Versions only increase.
struct SQLiteSchema: Sendable {
    /// Application id in the file's header, which identifies this kind of store.
    let application: Int64
    /// Migrations as lists of statements; the n-th one leads from version n to n + 1.
    let migrations: [[StaticString]]

    /// Migrates the database to the latest version, or leaves it unchanged.
    func prepare(_ database: SQLiteDatabase) throws(StoreError) {
        if try version(of: database) == migrations.count { return }
        try database.transaction { () throws(StoreError) in
            // Another process might have been faster.
            let version = try version(of: database)
            for migration in migrations[version...] {
                for statement in migration { try database.execute(statement) }
            }
            try database.set("application_id", to: application)
            try database.set("user_version", to: Int64(migrations.count))
        }
    }

    /// Returns whether the file's rows must be moved into newer tables, which can take long.
    func isOutdated(_ file: String) throws(StoreError) -> Bool {
        guard FileIdentity(of: file) != nil else { return false }
        return 1..<migrations.count ~= (try version(of: SQLiteDatabase(file, schema: nil)))
    }

    /// Returns the version of a database that this program can use; 0 for an empty one.
    private func version(of database: SQLiteDatabase) throws(StoreError) -> Int {
        // The savepoint makes all three queries see one instant, while another process might be creating the tables.
        // Unlike a transaction, it can be nested in one.
        try database.execute("SAVEPOINT version")
        defer { try? database.execute("RELEASE version") }
        let known = try database.number("PRAGMA application_id")
        let version = try database.number("PRAGMA user_version")
        let isEmpty = try database.number("SELECT count(*) FROM sqlite_schema") == 0
        guard known == application || known == 0 && version == 0 && isEmpty else {
            throw StoreError(.foreign, database.file)
        }
        guard version >= 0 else { throw StoreError(.damaged, database.file, "its version is \(version)") }
        guard version <= migrations.count else {
            throw StoreError(.newer, database.file, "its version is \(version), this one knows \(migrations.count)")
        }
        return Int(version)
    }
}

extension SQLiteDatabase {
    /// Returns the first column of a statement's only row.
    func number(_ text: StaticString) throws(StoreError) -> Int64 {
        var number: Int64 = 0
        try statement(text).rows { number = $0.integer(0) }
        return number
    }
}

/// Identity of the file at a path, independent of its name.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// Returns nil if there is no file.
    init?(of path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
