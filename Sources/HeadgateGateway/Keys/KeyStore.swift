package import HeadgateRelay

/// Client key that is managed while the gateway runs, stored only as a digest.
package struct ManagedKey: Sendable, Equatable {
    /// Digest from before a rotation that is still accepted until its end.
    package struct Former: Sendable, Equatable {
        package var digest: KeyDigest
        /// Seconds since 1970.
        package var end: Int64

        package init(_ digest: KeyDigest, until end: Int64) {
            self.digest = digest
            self.end = end
        }
    }

    /// Name of the key, unique in a store.
    package var name: String
    package var digest: KeyDigest
    /// Digest of the first key. It identifies the owner of stored data across rotations.
    package var identity: KeyDigest
    /// JSON object with the settings that a key in a configuration has, without the name and the digest.
    package var settings: String
    /// Seconds since 1970.
    package var created: Int64
    package var former: [Former]

    package init(
        name: String, digest: KeyDigest, identity: KeyDigest? = nil, settings: String = "{}", created: Int64,
        former: [Former] = []
    ) {
        self.name = name
        self.digest = digest
        self.identity = identity ?? digest
        self.settings = settings
        self.created = created
        self.former = former
    }

    /// Returns the key after a rotation. Digests from earlier rotations end no later than the current one.
    ///
    /// - Parameters:
    ///   - end: end of the current digest, in seconds since 1970.
    ///   - now: seconds since 1970.
    package func rotated(to digest: KeyDigest, until end: Int64, at now: Int64) -> ManagedKey {
        var key = self
        key.digest = digest
        key.former = (former + [Former(self.digest, until: end)]).compactMap { former in
            let end = min(former.end, end)
            return end > now ? Former(former.digest, until: end) : nil
        }
        return key
    }
}

/// Store of managed keys. Every implementation passes `KeyStoreContractTests`.
///
/// Methods can be called on any thread and do not block. Completions are called once, on a thread of the store or
/// before the call returns. The store's creator is notified of a change before its completion is called, and of changes
/// by other processes shortly after.
package protocol KeyStore: Sendable {
    /// Adds a key.
    ///
    /// - Parameter completion: receives false if a key with that name or that digest exists already.
    func add(_ key: ManagedKey, completion: @escaping @Sendable (Result<Bool, KeyStoreFailure>) -> Void)

    /// Replaces the digest of a key.
    ///
    /// - Parameters:
    ///   - end: end of the current digest, in seconds since 1970; at or before `now` to end it at once.
    ///   - now: seconds since 1970.
    ///   - completion: receives the changed key; nil if there is none.
    func rotate(
        _ name: String, to digest: KeyDigest, until end: Int64, at now: Int64,
        completion: @escaping @Sendable (Result<ManagedKey?, KeyStoreFailure>) -> Void)

    /// Removes a key.
    ///
    /// - Parameter completion: receives whether the key existed.
    func revoke(_ name: String, completion: @escaping @Sendable (Result<Bool, KeyStoreFailure>) -> Void)

    /// Finds a key by its name.
    ///
    /// - Parameter completion: receives the key; nil if there is none.
    func find(_ name: String, completion: @escaping @Sendable (Result<ManagedKey?, KeyStoreFailure>) -> Void)

    /// Lists one page of keys.
    ///
    /// - Parameters:
    ///   - name: last name of the previous page; empty for the first page.
    ///   - limit: maximum number of keys.
    ///   - completion: receives the keys in the order of their names' bytes.
    func list(
        after name: String, limit: Int,
        completion: @escaping @Sendable (Result<[ManagedKey], KeyStoreFailure>) -> Void)
}

/// Notification from a store about its keys. Each one includes the changes of the earlier ones.
package enum KeyStoreNews: Sendable {
    /// All keys of the store.
    case all([ManagedKey])
    /// Latest states of changed keys; nil for a removed one.
    case changed([(name: String, key: ManagedKey?)])
}

/// Failure of a key store.
package struct KeyStoreFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// Description for the gateway's owner; it can contain file names.
    package let description: String

    package init(_ description: String) { self.description = description }
}
