internal import HeadgateEventLoop
package import HeadgateGateway
internal import HeadgatePrimitives
package import HeadgateRelay

/// Managed keys in memory, which are lost when the process ends.
package final class MemoryKeyStore: KeyStore {
    private let keys = Locked<[String: ManagedKey]>([:])
    private let told: @Sendable (KeyStoreNews) -> Void

    /// - Parameter told: called with changed keys, and at once with none.
    package init(told: @escaping @Sendable (KeyStoreNews) -> Void = { _ in }) {
        self.told = told
        told(.all([]))
    }

    package func add(_ key: ManagedKey, completion: @escaping @Sendable (Result<Bool, KeyStoreFailure>) -> Void) {
        let isAdded = keys.withLock { keys in
            let hasDigest = keys.values.contains { other in
                other.digest == key.digest || other.former.contains { $0.digest == key.digest }
            }
            guard keys[key.name] == nil, !hasDigest else { return false }
            keys[key.name] = key
            return true
        }
        if isAdded { told(.changed([(key.name, key)])) }
        completion(.success(isAdded))
    }

    package func rotate(
        _ name: String, to digest: KeyDigest, until end: Int64, at now: Int64,
        completion: @escaping @Sendable (Result<ManagedKey?, KeyStoreFailure>) -> Void
    ) {
        let key = keys.withLock { keys in
            let key = keys[name]?.rotated(to: digest, until: end, at: now)
            if let key { keys[name] = key }
            return key
        }
        if let key { told(.changed([(name, key)])) }
        completion(.success(key))
    }

    package func revoke(_ name: String, completion: @escaping @Sendable (Result<Bool, KeyStoreFailure>) -> Void) {
        let wasThere = keys.withLock { $0.removeValue(forKey: name) != nil }
        if wasThere { told(.changed([(name, nil)])) }
        completion(.success(wasThere))
    }

    package func find(
        _ name: String, completion: @escaping @Sendable (Result<ManagedKey?, KeyStoreFailure>) -> Void
    ) {
        completion(.success(keys.withLock { $0[name] }))
    }

    package func list(
        after name: String, limit: Int,
        completion: @escaping @Sendable (Result<[ManagedKey], KeyStoreFailure>) -> Void
    ) {
        let after = Array(name.utf8)
        func precedes(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Bool {
            left.lexicographicallyPrecedes(right)
        }
        let keys = keys.withLock { $0.values.filter { precedes(after, $0.name.utf8) } }
        completion(.success(Array(keys.sorted { precedes($0.name.utf8, $1.name.utf8) }.prefix(limit))))
    }
}
