internal import HeadgateGateway
internal import HeadgateRelay

/// The tables of managed keys in PostgreSQL, as used by one thread. The server sends a notification for each change.
final class PostgreSQLKeys: KeyDatabase {
    private let link: PostgreSQLLink
    /// Whether all keys must be read: initially, and after a disconnect.
    private var isBlind = true
    /// Names of changed keys that are not reported yet.
    private var changed: Set<String> = []

    /// Interval at which a silent connection is checked.
    private static let interval = Duration.seconds(5)
    /// Maximum number of changes reported one by one.
    private static let mostChanges = 1000

    init(_ server: PostgreSQLServer) {
        link = PostgreSQLLink(to: server) { (connection) throws(StoreError) in
            try connection.query("LISTEN \(PostgreSQLSchema.keyChannel)")
        }
    }

    var name: String { link.server.name }

    private func connection() throws(StoreError) -> PostgreSQLConnection {
        try link.open { isBlind = true }
    }

    /// Runs work that changes nothing. It is repeated once on a new connection if the first one is lost.
    private func read<Value>(
        _ work: (PostgreSQLConnection) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        do throws(StoreError) {
            return try work(try connection())
        } catch {
            // A restarted server responds on a new connection.
            guard error.cause == .unreachable else { throw error }
            return try work(try connection())
        }
    }

    /// Runs work in a transaction, of which only one runs at a time among all gateways.
    private func write<Value>(
        _ name: String, _ work: (PostgreSQLConnection) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let connection = try live()
        changed.insert(name)
        return try connection.transaction { () throws(StoreError) in
            try connection.query("SELECT pg_advisory_xact_lock(\(PostgreSQLSchema.Lock.keys.arguments))")
            return try work(connection)
        }
    }

    /// Returns a connection that has just responded, since writes are not repeated.
    private func live() throws(StoreError) -> PostgreSQLConnection {
        try read { (connection) throws(StoreError) in
            try connection.query("SELECT 1")
            return connection
        }
    }

    // MARK: Keys

    func add(_ key: ManagedKey) throws(StoreError) -> Bool {
        try write(key.name) { (connection) throws(StoreError) in try connection.insert(key) }
    }

    func addAll(_ keys: [ManagedKey]) throws(StoreError) -> (added: Int, different: Int) {
        // An empty name means all keys.
        try write("") { (connection) throws(StoreError) in
            var (added, different) = (0, 0)
            for key in keys {
                if try connection.insert(key) {
                    added += 1
                } else if try connection.managedKeys(named: [key.name]).first?.isSame(as: key) != true {
                    different += 1
                }
            }
            return (added, different)
        }
    }

    func rotate(
        _ name: String, to digest: KeyDigest, until end: Int64, at now: Int64
    ) throws(StoreError) -> ManagedKey? {
        try write(name) { (connection) throws(StoreError) in
            try connection.rotateKey(name, to: digest, until: end, at: now)
        }
    }

    func revoke(_ name: String) throws(StoreError) -> Bool {
        try write(name) { (connection) throws(StoreError) in try connection.revokeKey(name) }
    }

    func find(_ name: String) throws(StoreError) -> ManagedKey? {
        try read { (connection) throws(StoreError) in try connection.managedKeys(named: [name]).first }
    }

    func list(after name: String, limit: Int) throws(StoreError) -> [ManagedKey] {
        try read { (connection) throws(StoreError) in try connection.managedKeys(after: name, limit: limit) }
    }

    func revokedSettings() throws(StoreError) -> [String: String] {
        try read { (connection) throws(StoreError) in try connection.revokedSettings() }
    }

    func revokedKeys() throws(StoreError) -> [RevokedKey] {
        try read { (connection) throws(StoreError) in try connection.revokedKeys() }
    }

    func addRevoked(_ keys: [RevokedKey]) throws(StoreError) -> Int {
        try write("") { (connection) throws(StoreError) in
            var count = 0
            for key in keys { count += try connection.insertRevoked(key) ? 1 : 0 }
            return count
        }
    }

    // MARK: News

    func news(hasWritten _: Bool) throws(StoreError) -> KeyStoreNews? {
        do throws(StoreError) {
            return try newsOfConnection()
        } catch {
            // The connection was lost since the last query; a new one might be available.
            guard error.cause == .unreachable else { throw error }
            return try newsOfConnection()
        }
    }

    private func newsOfConnection() throws(StoreError) -> KeyStoreNews? {
        let connection = try connection()
        changed.formUnion(try connection.listen())
        if isBlind || changed.contains("") || changed.count > PostgreSQLKeys.mostChanges {
            // Changes from now on are reported by the next call.
            changed = []
            let keys = try connection.managedKeys(within: connection.server.patience.work)
            isBlind = false
            return .all(keys)
        }
        guard !changed.isEmpty else { return nil }
        let found = try connection.managedKeys(named: Array(changed))
        var keys: [String: ManagedKey] = [:]
        for key in found { keys[key.name] = key }
        defer { changed = [] }
        return .changed(changed.map { ($0, keys[$0]) })
    }

    func rest(_ wakeUp: WakeUp) {
        guard let connection = try? connection() else {
            return wakeUp.wait(atMost: max(link.pause, .milliseconds(10)))
        }
        let start = ContinuousClock.now
        wakeUp.wait(for: connection.descriptor, atMost: PostgreSQLKeys.interval)
        // A dead connection looks like one without notifications.
        if ContinuousClock.now >= start + PostgreSQLKeys.interval { _ = try? connection.query("SELECT 1") }
    }
}
