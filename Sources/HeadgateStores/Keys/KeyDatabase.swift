internal import HeadgateGateway
internal import HeadgateRelay

/// Database of managed keys, as used by one thread.
protocol KeyDatabase: AnyObject {
    /// Name of the database in reports.
    var name: String { get }

    /// Adds a key.
    ///
    /// - Returns: false if a key with that name exists, or a key has or had that digest.
    func add(_ key: ManagedKey) throws(StoreError) -> Bool

    /// Adds the keys that do not exist, in one transaction.
    ///
    /// - Returns: the number of added keys, and the number of keys whose name or digest belongs to a different key.
    func addAll(_ keys: [ManagedKey]) throws(StoreError) -> (added: Int, different: Int)

    /// - Returns: nil if there is no such key.
    func rotate(_ name: String, to digest: KeyDigest, until end: Int64, at now: Int64) throws(StoreError) -> ManagedKey?

    /// - Returns: whether the key existed.
    func revoke(_ name: String) throws(StoreError) -> Bool

    func find(_ name: String) throws(StoreError) -> ManagedKey?

    /// Returns keys in the order of their names' bytes.
    func list(after name: String, limit: Int) throws(StoreError) -> [ManagedKey]

    /// Returns the settings of recently revoked keys in groups by their names, since their usage counts for their
    /// groups.
    func revokedSettings() throws(StoreError) -> [String: String]

    /// Returns the revoked keys with all their stored data.
    func revokedKeys() throws(StoreError) -> [RevokedKey]

    /// Adds the revoked keys that do not exist there, or were revoked there earlier, in one transaction.
    ///
    /// - Returns: the number of added keys.
    func addRevoked(_ keys: [RevokedKey]) throws(StoreError) -> Int

    /// Returns all keys on the first call, and later the changes since the previous call, by any process; nil if there
    /// are none.
    ///
    /// - Parameter hasWritten: whether this process has written since then.
    func news(hasWritten: Bool) throws(StoreError) -> KeyStoreNews?

    /// Waits for changes by others, until the next poll is due, or until it is woken.
    func rest(_ wakeUp: WakeUp)
}

/// Remainder of a revoked key in a group.
struct RevokedKey: Equatable {
    let name: String
    let settings: String
    /// Seconds since 1970.
    let revokedAt: Int64
}

extension ManagedKey {
    /// Whether all properties are equal, regardless of the order of former digests.
    func isSame(as other: ManagedKey) -> Bool {
        func sorted(_ former: [Former]) -> [Former] {
            former.sorted { ($0.end, $0.digest.hexadecimal) < ($1.end, $1.digest.hexadecimal) }
        }
        var (left, right) = (self, other)
        (left.former, right.former) = (sorted(former), sorted(other.former))
        return left == right
    }
}
