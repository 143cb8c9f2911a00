internal import Glibc
internal import HeadgateEventLoop
package import HeadgateGateway

/// Managed keys in a file of SQLite, which is made with the first of them.
///
/// Other processes change the file too: the command, and further gateways of the same user. A thread looks four times a
/// second whether one has: SQLite's `data_version` costs some microseconds, and unlike a signal, a socket or the
/// kernel's notices of file changes it needs no gateway to be known to who writes, misses nothing that was written
/// before, and works in any container that shares the folder. The same thread does the gateway's own changes, so that
/// no loop waits for a disk.
package final class SQLiteKeyStore: KeyStore {
    /// The settings of keys in groups that were revoked before, by their names.
    package let revoked: [String: String]
    private let thread: KeyThread

    /// Opens the file where it is there, and tells of all its keys before it returns.
    ///
    /// - Parameters:
    ///   - interval: in which it is looked whether others have changed something.
    ///   - prepare: called before the file is made: its folder has to be there.
    ///   - told: of its keys, before a change that was asked for is completed; nil where nobody needs to know.
    ///   - report: told, once until it is over, what keeps keys from being read.
    /// - Throws: ``StoreError``, or `ThreadShortage`.
    package init(
        file: String, every interval: Duration = .milliseconds(250), prepare: @escaping @Sendable () -> Void = {},
        told: (@Sendable (KeyStoreNews) -> Void)?, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        let keys = KeyFile(file, prepare: prepare)
        // One that cannot be used is told at once.
        if let told { told(try keys.everything()) }
        revoked = try keys.read { (database) throws(StoreError) in try database?.revokedKeys() ?? [:] }
        thread = try KeyThread(keys, interval: interval, told: told, report: report)
    }

    deinit { thread.end() }

    /// Does what is waiting and lets go of the file. Not from a loop.
    ///
    /// - Returns: whether it has, which a disk may delay for longer than is waited.
    @discardableResult package func close() -> Bool { thread.close() }

    package func add(_ key: ManagedKey, completion: @escaping @Sendable (Result<Bool, KeyStoreFailure>) -> Void) {
        write(makingFile: true, else: false, completion) { (database) throws(StoreError) in try database.insert(key) }
    }

    package func rotate(
        _ name: String, to digest: KeyDigest, until end: Int64, at now: Int64,
        completion: @escaping @Sendable (Result<ManagedKey?, KeyStoreFailure>) -> Void
    ) {
        write(else: nil, completion) { (database) throws(StoreError) in
            try database.rotateKey(name, to: digest, until: end, at: now)
        }
    }

    package func revoke(_ name: String, completion: @escaping @Sendable (Result<Bool, KeyStoreFailure>) -> Void) {
        write(else: false, completion) { (database) throws(StoreError) in try database.revokeKey(name) }
    }

    package func find(
        _ name: String, completion: @escaping @Sendable (Result<ManagedKey?, KeyStoreFailure>) -> Void
    ) {
        read(completion) { (database) throws(StoreError) in try database?.managedKey(name) }
    }

    package func list(
        after name: String, limit: Int,
        completion: @escaping @Sendable (Result<[ManagedKey], KeyStoreFailure>) -> Void
    ) {
        read(completion) { (database) throws(StoreError) in
            try database?.managedKeys(after: name, limit: limit) ?? []
        }
    }

    private func read<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, KeyStoreFailure>) -> Void,
        _ work: @escaping @Sendable (SQLiteDatabase?) throws(StoreError) -> Value
    ) {
        thread.append(isWriting: false, completion) { (file) throws(StoreError) in try file.read(work) }
    }

    private func write<Value: Sendable>(
        makingFile: Bool = false, else absent: Value,
        _ completion: @escaping @Sendable (Result<Value, KeyStoreFailure>) -> Void,
        _ work: @escaping @Sendable (SQLiteDatabase) throws(StoreError) -> Value
    ) {
        thread.append(isWriting: true, completion) { (file) throws(StoreError) in
            try file.write(makingFile: makingFile, else: absent, work)
        }
    }
}
