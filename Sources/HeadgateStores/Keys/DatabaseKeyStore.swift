package import HeadgateGateway
package import HeadgateRelay

/// Managed keys in a database, which a thread of its own asks and changes: no loop waits for a disk or a server.
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
    /// Of a file of SQLite, which is made with the first key. Opens it where it is there, and tells of all its keys
    /// before it returns.
    ///
    /// Other processes change the file too: the command, and further gateways of the same user. The thread looks four
    /// times a second whether one has: SQLite's `data_version` costs some microseconds, and unlike a signal, a socket
    /// or the kernel's notices of file changes it needs no gateway to be known to who writes, misses nothing that was
    /// written before, and works in any container that shares the folder.
    ///
    /// - Parameters:
    ///   - interval: in which it is looked whether others have changed something.
    ///   - prepare: called before the file is made: its folder has to be there.
    ///   - told: of its keys, before a change that was asked for is completed; nil where nobody needs to know.
    ///   - report: told, once until it is over, what keeps keys from being read.
    /// - Throws: ``StoreError``, or `ThreadShortage`.
    package convenience init(
        file: String, every interval: Duration = .milliseconds(250), prepare: @escaping @Sendable () -> Void = {},
        told: (@Sendable (KeyStoreNews) -> Void)?, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        let keys = KeyFile(file, every: interval, prepare: prepare)
        // One that cannot be used is told at once.
        if let told { told(try keys.everything()) }
        let revoked = try keys.revokedSettings()
        self.init(try KeyThread(keys, revoked: revoked, told: told, report: report))
    }
}
