package import HeadgateGateway
package import HeadgateRelay

/// Managed keys in a database. A separate thread reads and changes them, so that no loop waits for a disk or a server.
package final class DatabaseKeyStore: KeyStore {
    private let thread: KeyThread

    init(_ thread: KeyThread) { self.thread = thread }

    deinit { thread.end() }

    /// Settings of previously revoked keys in groups, by name; empty until the keys are known.
    package var revoked: [String: String] { thread.revoked }

    /// Finishes pending jobs and closes the database. Must not be called on a loop.
    ///
    /// - Returns: false if the database was not closed in time, because a disk or a server is slow.
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
    /// Other processes change the file too: the command, and other gateways of the same user. The thread polls SQLite's
    /// `data_version` four times a second, which costs some microseconds. Unlike a signal, a socket or file
    /// notifications, polling needs no registration with writers, misses no earlier change, and works in any container
    /// that shares the folder.
    ///
    /// - Parameters:
    ///   - interval: the interval of polls for changes by others.
    ///   - prepare: called before the file is created, to create its folder.
    ///   - told: called with the changed keys before a requested change completes; nil if no one needs them.
    ///   - report: called with the reason why keys cannot be read, once until they can be read again.
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
