import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateStores

/// Opens the store of managed keys, which is the same for every configuration of the process.
struct KeyStoreComposer {
    let keys: ManagedKeys
    let store: SQLiteKeyStore
    private let log: LogWriter

    /// Nil without a data folder: then there are no managed keys, and whoever asks for one is told why.
    ///
    /// - Parameter appeared: called, on any thread, when there are managed keys and the configuration that is served
    ///   was compiled without.
    /// - Throws: ``Complaint`` where the file is there and cannot be used; or ``ThreadShortage``.
    init?(environment: [String: String], log: LogWriter, appeared: @escaping @Sendable () -> Void) throws {
        guard let path = ManagedKeyFile.path(environment), let folder = DataFolder.path(environment) else { return nil }
        let table = Locked(ManagedKeyTable())
        let keys = ManagedKeys(table: { table.withLock($0) }, report: { log.say("headgate: keys: \($0)") })
        do {
            store = try SQLiteKeyStore(
                file: path, prepare: { DataFolder.make(folder) },
                told: { news in
                    keys.hear(news)
                    if !keys.isEmpty, !keys.areServed { appeared() }
                }, report: { log.say("headgate: keys: \($0)") })
        } catch let error as StoreError {
            throw Complaint("managed keys: \(error)", exitCode: .configuration)
        }
        self.keys = keys
        self.log = log
    }

    /// To be called when another configuration is served.
    ///
    /// - Parameter configured: its own keys.
    func adopt(_ snapshot: GatewaySnapshot, beside configured: [KeyConfiguration]) {
        keys.areServed = snapshot.servesManagedKeys
        let both = keys.names(alsoOf: configured)
        guard !both.isEmpty else { return }
        log.say(
            "headgate: the configuration and the managed keys both have \(both.joined(separator: ", ")): the "
                + "configuration's is let in; revoke the managed one with 'headgate key revoke', or rename one of them")
    }

    /// Not from a loop.
    func close() { store.close() }
}
