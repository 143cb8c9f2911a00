import CHeadgate
package import HeadgateConfiguration
import HeadgateEventLoop
package import HeadgateGateway
internal import HeadgatePrimitives
internal import HeadgateRelay
import HeadgateStores

/// Managed keys of a gateway, for commands. Each call waits until it is done. A running gateway notices changes
/// automatically.
package final class KeyRegister {
    private let store: DatabaseKeyStore

    /// - Parameter ledger: the ledger's place in the gateway's configuration.
    /// - Throws: ``Complaint``, or ``ThreadShortage``.
    package init(_ ledger: LedgerConfiguration.Place, environment: [String: String]) throws {
        guard let place = ManagedKeyPlace(ledger, environment) else {
            throw Complaint(
                "there is no data folder, in which managed keys are kept: set HOME or XDG_DATA_HOME as for the gateway",
                exitCode: .configuration)
        }
        do {
            switch place {
            case .file(let path, let folder):
                store = try DatabaseKeyStore(file: path, prepare: { DataFolder.make(folder) }, told: nil)
            case .server(let url): store = try DatabaseKeyStore(on: PostgreSQLServer(url), told: nil)
            }
        } catch let error as StoreError {
            throw Complaint("managed keys: \(error)", exitCode: .configuration)
        }
    }

    /// A server is told that its client leaves.
    deinit { store.close() }

    /// Seconds since 1970.
    package static var now: Int64 { headgate_realtime_nanoseconds() / 1_000_000_000 }

    /// - Returns: the text of the key, and its stored form.
    package func add(_ name: String, _ settings: KeySettings) throws -> (text: String, key: ManagedKey) {
        let text = NewKey.make()
        let key = ManagedKey(
            name: name, digest: KeyDigest(of: text.utf8), settings: settings.text, created: KeyRegister.now)
        guard try wait({ store.add(key, completion: $0) }) else {
            throw Complaint("there is a managed key '\(name)' already: choose another name, or revoke that one first")
        }
        return (text, key)
    }

    /// - Parameter grace: seconds for which the current key is still accepted.
    /// - Returns: the text of the new key, and its stored form.
    package func rotate(_ name: String, grace: Int64) throws -> (text: String, key: ManagedKey) {
        let text = NewKey.make()
        let (digest, now) = (KeyDigest(of: text.utf8), KeyRegister.now)
        let end = KeyGrace.end(of: grace, at: headgate_realtime_nanoseconds())
        let key = try wait { store.rotate(name, to: digest, until: end, at: now, completion: $0) }
        guard let key else { throw KeyRegister.unknown(name) }
        return (text, key)
    }

    package func revoke(_ name: String) throws {
        guard try wait({ store.revoke(name, completion: $0) }) else { throw KeyRegister.unknown(name) }
    }

    package func find(_ name: String) throws -> ManagedKey {
        guard let key = try wait({ store.find(name, completion: $0) }) else { throw KeyRegister.unknown(name) }
        return key
    }

    /// - Parameter name: the last name of the previous page; empty for the first page.
    package func list(after name: String, limit: Int) throws -> [ManagedKey] {
        try wait { store.list(after: name, limit: limit, completion: $0) }
    }

    private static func unknown(_ name: String) -> Complaint {
        Complaint("there is no managed key '\(name)': 'headgate key list' shows those that there are")
    }

    private func wait<Value: Sendable>(
        _ question: (@escaping @Sendable (Result<Value, KeyStoreFailure>) -> Void) -> Void
    ) throws -> Value {
        let (latch, answer) = (Latch(), Locked<Result<Value, KeyStoreFailure>?>(nil))
        question { result in
            answer.withLock { $0 = result }
            latch.open()
        }
        latch.wait()
        switch answer.withLock({ $0 }) {
        case .success(let value)?: return value
        case .failure(let failure)?: throw Complaint("managed keys: \(failure)")
        case nil: preconditionFailure("the store has not answered")
        }
    }
}
