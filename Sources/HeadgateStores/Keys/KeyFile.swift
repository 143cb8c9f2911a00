internal import HeadgateGateway
internal import HeadgateLibC
internal import HeadgateRelay

/// File of managed keys, which need not exist. Used by one thread at a time.
final class KeyFile: KeyDatabase {
    /// Identity of a file, independent of its name.
    private struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t
    }

    let path: String
    private let prepare: @Sendable () -> Void
    private let interval: Duration
    private var opened: (database: SQLiteDatabase, identity: Identity?)?
    /// Version of the database at the last poll.
    private var version: Int64?
    /// Number of the latest reported change.
    private var position: Int64 = 0

    /// - Parameters:
    ///   - interval: the interval of polls for changes by others.
    ///   - prepare: called before the file is created.
    init(_ path: String, every interval: Duration = .milliseconds(250), prepare: @escaping @Sendable () -> Void) {
        self.path = path
        self.interval = interval
        self.prepare = prepare
    }

    /// Returns the database, and opens it if the file exists; nil if there is no file.
    private func database() throws(StoreError) -> SQLiteDatabase? {
        if let opened { return opened.database }
        return identity == nil ? nil : try open()
    }

    /// Returns the database, creating the file if it does not exist.
    private func madeDatabase() throws(StoreError) -> SQLiteDatabase {
        if let database = try database() { return database }
        prepare()
        return try open()
    }

    private func open() throws(StoreError) -> SQLiteDatabase {
        let database = try SQLiteDatabase(path, schema: .keys)
        // A revocation survives a power failure.
        try database.execute("PRAGMA synchronous=FULL")
        opened = (database, identity)
        return database
    }

    private var identity: Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(device: status.st_dev, inode: status.st_ino) : nil
    }

    // MARK: Work

    /// - Parameter work: called with nil if there is no file.
    func read<Value>(_ work: (SQLiteDatabase?) throws(StoreError) -> Value) throws(StoreError) -> Value {
        try work(try database())
    }

    /// Runs work in a transaction.
    ///
    /// - Parameters:
    ///   - makesFile: whether to create the file if it does not exist.
    ///   - absent: called instead if there is no file.
    func write<Value>(
        makingFile makesFile: Bool, else absent: Value, _ work: (SQLiteDatabase) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        guard let database = makesFile ? try madeDatabase() : try database() else { return absent }
        var value: Value?
        try database.transaction { () throws(StoreError) in value = try work(database) }
        return value ?? absent
    }

    var name: String { path }

    func add(_ key: ManagedKey) throws(StoreError) -> Bool {
        try write(makingFile: true, else: false) { (database) throws(StoreError) in try database.insert(key) }
    }

    func addAll(_ keys: [ManagedKey]) throws(StoreError) -> (added: Int, different: Int) {
        try write(makingFile: true, else: (0, 0)) { (database) throws(StoreError) in
            var (added, different) = (0, 0)
            for key in keys {
                if try database.insert(key) {
                    added += 1
                } else if try database.managedKey(key.name)?.isSame(as: key) != true {
                    different += 1
                }
            }
            return (added, different)
        }
    }

    func rotate(
        _ name: String, to digest: KeyDigest, until end: Int64, at now: Int64
    ) throws(StoreError) -> ManagedKey? {
        try write(makingFile: false, else: nil) { (database) throws(StoreError) in
            try database.rotateKey(name, to: digest, until: end, at: now)
        }
    }

    func revoke(_ name: String) throws(StoreError) -> Bool {
        try write(makingFile: false, else: false) { (database) throws(StoreError) in try database.revokeKey(name) }
    }

    func find(_ name: String) throws(StoreError) -> ManagedKey? {
        try read { (database) throws(StoreError) in try database?.managedKey(name) }
    }

    func list(after name: String, limit: Int) throws(StoreError) -> [ManagedKey] {
        try read { (database) throws(StoreError) in try database?.managedKeys(after: name, limit: limit) ?? [] }
    }

    func revokedSettings() throws(StoreError) -> [String: String] {
        try read { (database) throws(StoreError) in try database?.revokedSettings() ?? [:] }
    }

    func revokedKeys() throws(StoreError) -> [RevokedKey] {
        try read { (database) throws(StoreError) in try database?.revokedKeys() ?? [] }
    }

    func addRevoked(_ keys: [RevokedKey]) throws(StoreError) -> Int {
        try write(makingFile: true, else: 0) { (database) throws(StoreError) in
            var count = 0
            for key in keys { count += try database.insertRevoked(key) ? 1 : 0 }
            return count
        }
    }

    // MARK: News

    func rest(_ wakeUp: WakeUp) { wakeUp.wait(atMost: interval) }

    /// Returns all keys, and records their version for ``news(hasWritten:)``.
    func everything() throws(StoreError) -> KeyStoreNews {
        guard let database = try database() else { return .all([]) }
        version = try database.dataVersion()
        position = try database.lastKeyChange()
        return .all(try database.managedKeys())
    }

    /// Returns all changes since the last call, by any process; nil if there are none.
    ///
    /// - Parameter hasWritten: whether this process has written, since its own commits do not change `data_version`.
    func news(hasWritten: Bool) throws(StoreError) -> KeyStoreNews? {
        let identity = identity
        if let opened, opened.identity != identity {
            // The file was removed or replaced: its keys are no longer admitted.
            self.opened = nil
            version = nil
            return try everything()
        }
        guard identity != nil, let database = try database() else { return nil }
        guard let version else { return try everything() }
        let latest = try database.dataVersion()
        guard hasWritten || latest != version else { return nil }
        guard let (names, last) = try database.changedKeys(after: position) else { return try everything() }
        self.version = latest
        position = last
        if names.isEmpty { return nil }
        var changes: [(name: String, key: ManagedKey?)] = []
        for name in names { changes.append((name, try database.managedKey(name))) }
        return .changed(changes)
    }
}
