internal import CSQLite
internal import HeadgateLibC

/// Connection to a database file, in WAL mode. Used by one thread at a time.
final class SQLiteDatabase {
    let file: String
    private let library: headgate_sqlite
    private let connection: OpaquePointer
    /// Statements by their text; each is prepared once.
    private var statements: [StaticText: SQLiteStatement] = [:]

    /// Milliseconds to wait for a lock of another process.
    private static let patience: Int32 = 2_000

    /// Instructions of SQLite's virtual machine between checks for cancellation: some hundred microseconds of work.
    private static let watchedSteps: Int32 = 10_000

    /// Maximum size of the write-ahead log (`-wal`) in bytes after a checkpoint.
    private static let largestLog: Int64 = 4 << 20

    /// Bytes of one connection's page cache. SQLite's default of 2 MiB would only hold blobs that are read once. A
    /// gateway has several connections, and the system caches the file.
    private static let pageCache: Int64 = 512 << 10

    /// Opens the file, which is created with mode 0600 if it does not exist, and migrates its schema.
    ///
    /// - Parameters:
    ///   - schema: the schema; nil to use the file as it is.
    ///   - mostPages: maximum pages of the database; nil for no limit.
    init(_ file: String, schema: SQLiteSchema?, mostPages: Int? = nil) throws(StoreError) {
        guard let library = SQLiteLibrary.functions else { throw StoreError(.noLibrary, file) }
        self.file = file
        self.library = library
        try SQLiteDatabase.makeFile(file)
        var opened: OpaquePointer?
        // No mutex: a connection belongs to one thread.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        let code = library.open_v2(file, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            if let opened { _ = library.close_v2(opened) }
            throw StoreError(sqlite: code, file)
        }
        connection = opened
        _ = library.extended_result_codes(connection, 1)
        _ = library.busy_timeout(connection, SQLiteDatabase.patience)
        // A writer waits for the disk only at checkpoints. A power failure can lose recent commits but leaves the file
        // intact; a killed process loses nothing.
        try useLog()
        try execute("PRAGMA synchronous=NORMAL")
        try execute("PRAGMA secure_delete=ON")
        try set("journal_size_limit", to: SQLiteDatabase.largestLog)
        // A negative number is a size in KiB.
        try set("cache_size", to: -(SQLiteDatabase.pageCache >> 10))
        if let mostPages { try set("max_page_count", to: Int64(mostPages)) }
        try schema?.prepare(self)
    }

    /// Switches to WAL mode, with retries: processes that create the file at the same time collide here, and SQLite
    /// itself does not wait.
    private func useLog() throws(StoreError) {
        let end = ContinuousClock.now + .milliseconds(Int(SQLiteDatabase.patience))
        while true {
            do throws(StoreError) {
                return try execute("PRAGMA journal_mode=WAL")
            } catch {
                guard error.cause == .busy, ContinuousClock.now < end else { throw error }
                usleep(1000)
            }
        }
    }

    deinit {
        statements = [:]
        _ = library.close_v2(connection)
    }

    /// Creates the file if it does not exist. SQLite itself would create a file that others can read, and follow a
    /// symbolic link. Links among its folders are followed, since systemd uses them.
    ///
    /// An existing file is not opened: closing any descriptor of a file releases all locks of this process on it,
    /// including those of other connections.
    private static func makeFile(_ file: String) throws(StoreError) {
        let descriptor = HeadgateLibC.open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            var error = errno
            if error == EEXIST {
                var status = stat()
                guard lstat(file, &status) != 0 || status.st_mode & S_IFMT != S_IFREG else { return }
                error = status.st_mode & S_IFMT == S_IFLNK ? ELOOP : EINVAL
            }
            throw StoreError(
                error == EROFS ? .readOnly : error == ENOSPC ? .full : .unopened, file, String(cString: strerror(error))
            )
        }
        HeadgateLibC.close(descriptor)
    }

    // MARK: Statements

    /// Returns the prepared statement, ready for binding.
    func statement(_ text: StaticString) throws(StoreError) -> SQLiteStatement {
        let key = StaticText(text)
        if let statement = statements[key] { return statement }
        let statement = try SQLiteStatement(text.description, of: self)
        statements[key] = statement
        return statement
    }

    /// Runs a statement without parameters to its end.
    func execute(_ text: StaticString) throws(StoreError) {
        let statement = try SQLiteStatement(text.description, of: self)
        while try statement.step() {}
    }

    /// Sets a number that SQLite stores in the file's header or for this connection.
    func set(_ pragma: StaticString, to value: Int64) throws(StoreError) {
        let statement = try SQLiteStatement("PRAGMA \(pragma)=\(value)", of: self)
        while try statement.step() {}
    }

    /// Number of rows that the last statement changed.
    var changes: Int { Int(library.changes(connection)) }

    // MARK: Transactions

    /// Runs work in a transaction, which is rolled back if the work fails.
    func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            try body()
            try execute("COMMIT")
        } catch {
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// Checkpoints and empties the write-ahead log, which also contains deleted data, unless it is being read. Must be
    /// called outside a transaction.
    func emptyLog() throws(StoreError) { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    // MARK: Reading

    /// Rejects all changes from now on.
    func forbidChanges() throws(StoreError) { try execute("PRAGMA query_only=ON") }

    /// Reads until the work is done or cancelled. The cause of the error is then `cancelled`.
    ///
    /// - Parameter isGivenUp: called many times a second; returns whether to cancel the read.
    func reading<Value>(
        until isGivenUp: @escaping () -> Bool, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let watch = Watch(isGivenUp)
        let context = Unmanaged.passUnretained(watch).toOpaque()
        library.progress_handler(connection, SQLiteDatabase.watchedSteps, isWatchOver, context)
        defer {
            library.progress_handler(connection, 0, nil, nil)
            withExtendedLifetime(watch) {}
        }
        return try body()
    }

    // MARK: For statements

    func prepare(_ text: String) throws(StoreError) -> OpaquePointer {
        var prepared: OpaquePointer?
        let code = library.prepare_v2(connection, text, -1, &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw error(code) }
        return prepared
    }

    func error(_ code: Int32) -> StoreError { StoreError(sqlite: code, file) }
}

/// Condition that ends a read.
private final class Watch {
    let isGivenUp: () -> Bool

    init(_ isGivenUp: @escaping () -> Bool) { self.isGivenUp = isGivenUp }
}

private func isWatchOver(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context else { return 0 }
    return Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue().isGivenUp() ? 1 : 0
}

/// Text of the program, identified by its address.
private struct StaticText: Hashable {
    private let address: Int

    init(_ text: StaticString) { address = Int(bitPattern: text.utf8Start) }
}

/// The system's SQLite, opened with the first database.
enum SQLiteLibrary {
    /// Functions of SQLite; nil if the system does not have it.
    static let functions: headgate_sqlite? = {
        var table = headgate_sqlite()
        return headgate_sqlite_load(&table) == 0 ? table : nil
    }()
}
