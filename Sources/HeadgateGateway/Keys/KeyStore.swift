package import HeadgateRelay

/// A client key that is managed while the gateway runs, known only by its digest.
package struct ManagedKey: Sendable, Equatable {
    /// A digest that was rotated away, and is accepted for a while.
    package struct Former: Sendable, Equatable {
        package var digest: KeyDigest
        /// Seconds since 1970.
        package var end: Int64

        package init(_ digest: KeyDigest, until end: Int64) {
            self.digest = digest
            self.end = end
        }
    }

    /// Unique in a store.
    package var name: String
    package var digest: KeyDigest
    /// That of its first key: who made what the gateway keeps, over rotations too.
    package var identity: KeyDigest
    /// What it may do: a JSON object with the settings that a key in a configuration has, but for name and digest.
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

    /// The key after a rotation: what was rotated away before ends with it at the latest.
    ///
    /// - Parameters:
    ///   - end: until when the present one is accepted, in seconds since 1970.
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

/// Keeps managed keys. Every implementation passes `KeyStoreContractTests`.
///
/// From any thread, and never waited for: completions are called once, on a thread of the store or at once. Whoever
/// made the store is told of a change before its completion is called, and of changes by other processes soon.
package protocol KeyStore: Sendable {
    /// - Parameter completion: given false where a key has that name, or that digest, already.
    func add(_ key: ManagedKey, completion: @escaping @Sendable (Result<Bool, KeyStoreFailure>) -> Void)

    /// - Parameters:
    ///   - end: until when the present key is accepted too; not after `now` for no longer.
    ///   - now: seconds since 1970.
    ///   - completion: given the key as it is now; nil where there is none.
    func rotate(
        _ name: String, to digest: KeyDigest, until end: Int64, at now: Int64,
        completion: @escaping @Sendable (Result<ManagedKey?, KeyStoreFailure>) -> Void)

    /// - Parameter completion: given whether it was there.
    func revoke(_ name: String, completion: @escaping @Sendable (Result<Bool, KeyStoreFailure>) -> Void)

    /// - Parameter completion: given nil where there is none.
    func find(_ name: String, completion: @escaping @Sendable (Result<ManagedKey?, KeyStoreFailure>) -> Void)

    /// - Parameters:
    ///   - name: the last one of the page before; empty for the first page.
    ///   - completion: given at most so many, in the order of their names' octets.
    func list(
        after name: String, limit: Int,
        completion: @escaping @Sendable (Result<[ManagedKey], KeyStoreFailure>) -> Void)
}

/// What a store tells of its keys. What has come before is in what comes later.
package enum KeyStoreNews: Sendable {
    /// These, and no others.
    case all([ManagedKey])
    /// The latest state of some; nil for one that is gone.
    case changed([(name: String, key: ManagedKey?)])
}

/// The store cannot be asked.
package struct KeyStoreFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// For the gateway's owner: it may name files.
    package let description: String

    package init(_ description: String) { self.description = description }
}
