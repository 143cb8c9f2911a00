internal import HeadgateGateway
internal import HeadgateRelay

/// Where managed keys are, as one thread has it.
protocol KeyDatabase: AnyObject {
    /// For reports.
    var name: String { get }

    /// - Returns: false where a key has that name, or had that digest, already.
    func add(_ key: ManagedKey) throws(StoreError) -> Bool

    /// Those of which there is none, in one transaction.
    ///
    /// - Returns: how many there were none of, and how many there are that are another key under the same name, or
    ///   have the digest of another one.
    func addAll(_ keys: [ManagedKey]) throws(StoreError) -> (added: Int, different: Int)

    /// - Returns: nil where there is no such key.
    func rotate(_ name: String, to digest: KeyDigest, until end: Int64, at now: Int64) throws(StoreError) -> ManagedKey?

    /// - Returns: whether it was there.
    func revoke(_ name: String) throws(StoreError) -> Bool

    func find(_ name: String) throws(StoreError) -> ManagedKey?

    /// In the order of their names' octets.
    func list(after name: String, limit: Int) throws(StoreError) -> [ManagedKey]

    /// Of keys in groups that were revoked lately, by their names: what they have used, their groups have used.
    func revokedSettings() throws(StoreError) -> [String: String]

    /// The same with all that is kept of them.
    func revokedKeys() throws(StoreError) -> [RevokedKey]

    /// Those that are not there, or were revoked earlier there, in one transaction.
    ///
    /// - Returns: how many.
    func addRevoked(_ keys: [RevokedKey]) throws(StoreError) -> Int

    /// All keys the first time, and then what has changed since this was asked last, by whomever; nil for nothing.
    ///
    /// - Parameter hasWritten: whether this process has.
    func news(hasWritten: Bool) throws(StoreError) -> KeyStoreNews?

    /// Waits for others' changes, or until it is time to look.
    func rest(_ wakeUp: WakeUp)
}

/// What is left of a key in a group that was revoked.
struct RevokedKey: Equatable {
    let name: String
    let settings: String
    /// Seconds since 1970.
    let revokedAt: Int64
}

extension ManagedKey {
    /// Whether all of it is the same, in whatever order its former digests are.
    func isSame(as other: ManagedKey) -> Bool {
        func sorted(_ former: [Former]) -> [Former] {
            former.sorted { ($0.end, $0.digest.hexadecimal) < ($1.end, $1.digest.hexadecimal) }
        }
        var (left, right) = (self, other)
        (left.former, right.former) = (sorted(former), sorted(other.former))
        return left == right
    }
}
