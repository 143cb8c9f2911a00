package import HeadgateGateway
package import HeadgateRelay

/// Managed keys in a database, which a separate thread reads and changes, so that no loop waits for a disk or a server.
package final class DatabaseKeyStore: KeyStore {
    private let thread: KeyThread

    init(_ thread: KeyThread) { self.thread = thread }

    deinit { thread.end() }

    /// The settings of keys in groups that were revoked before, by their names; of none while the keys are not known.
    package var revoked: [String: String] { thread.revoked }

    /// Does what is waiting and lets go of the database. Not from a loop.
    ///
    /// - Returns: whether it has, which a disk or a server may delay for longer than is waited.
    @discardableResult package func close() -> Bool { thread.close() }

    package func add(_ key: ManagedKey, completion: @escaping @Sendable (Result<Bool, KeyStoreFailure>) -> Void) {
        thread.append(isWriting: true, completion) { (keys) throws(StoreError) in try keys.add(key) }
    }

    package func rotate(
        _ name: String, to digest: KeyDigest, until end: Int64, at now: Int64,
        completion: @escaping @Sendable (Result<ManagedKey?, KeyStoreFailure>) -> Void
    ) {
        thread.append(isWriting: true, completion) { (keys) throws(StoreError) in
            try keys.rotate(name, to: digest, until: end, at: now)
        }
    }

    package func revoke(_ name: String, completion: @escaping @Sendable (Result<Bool, KeyStoreFailure>) -> Void) {
        thread.append(isWriting: true, completion) { (keys) throws(StoreError) in try keys.revoke(name) }
    }

    package func find(
        _ name: String, completion: @escaping @Sendable (Result<ManagedKey?, KeyStoreFailure>) -> Void
    ) {
        thread.append(isWriting: false, completion) { (keys) throws(StoreError) in try keys.find(name) }
    }

    package func list(
        after name: String, limit: Int,
        completion: @escaping @Sendable (Result<[ManagedKey], KeyStoreFailure>) -> Void
    ) {
        thread.append(isWriting: false, completion) { (keys) throws(StoreError) in
            try keys.list(after: name, limit: limit)
        }
    }
}

extension DatabaseKeyStore {
    /// Creates a store in an SQLite file, which is created with the first key. An existing file is opened, and all its
    /// keys are reported before this returns.
    ///
    /// Other processes change the file too: the command, and further gateways of the same user. The thread polls
    /// SQLite's `data_version` four times a second, which costs some microseconds. Unlike a signal, a socket or file
    /// notifications, it needs no registration with writers, misses no earlier change, and works in any container that
    /// shares the folder.
    ///
    /// - Parameters:
    ///   - interval: the interval of polls for changes by others.
    ///   - prepare: called before the file is created, to create its folder.
    ///   - told: called with the changed keys before a requested change completes; nil if no one needs them.
    ///   - report: called with the reason why keys cannot be read, once until it is over.
    /// - Throws: ``StoreError``, or `ThreadShortage`.
    package convenience init(
        file: String, every interval: Duration = .milliseconds(250), prepare: @escaping @Sendable () -> Void = {},
        told: (@Sendable (KeyStoreNews) -> Void)?, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        let keys = KeyFile(file, every: interval, prepare: prepare)
        // An unusable file is reported at once.
        if let told { told(try keys.everything()) }
        let revoked = try keys.revokedSettings()
        self.init(try KeyThread(keys, revoked: revoked, told: told, report: report))
    }
}
