import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import HeadgateRelay
import HeadgateStores

/// Opens the store of managed keys, which is the same for every configuration of the process.
final class KeyStoreComposer: StoreComposer {
    let keys: ManagedKeys
    let store: DatabaseKeyStore
    private let place: ManagedKeyPlace
    /// Server of the keys; nil if they are in a file.
    private let server: PostgreSQLServer?
    private let environment: [String: String]
    private let log: LogWriter

    /// Creates a composer; nil without a data folder. There are no managed keys then, and requests about them get the
    /// reason.
    ///
    /// - Parameters:
    ///   - ledger: the ledger's place in the first configuration.
    ///   - appeared: called on any thread when there are managed keys and the served configuration was compiled without
    ///     them.
    /// - Throws: ``Complaint`` if the file or the database exists and cannot be used; or ``ThreadShortage``.
    init?(
        _ ledger: LedgerConfiguration.Place, environment: [String: String], log: LogWriter,
        appeared: @escaping @Sendable () -> Void
    ) throws {
        guard let place = ManagedKeyPlace(ledger, environment) else { return nil }
        let report: @Sendable (String) -> Void = { log.say("headgate: keys: \($0)") }
        let keys = ManagedKeys(areShared: place.isShared, report: report)
        let told: @Sendable (KeyStoreNews) -> Void = { news in
            keys.hear(news)
            if !keys.isEmpty, !keys.areServed { appeared() }
        }
        do {
            switch place {
            case .file(let path, let folder):
                server = nil
                store = try DatabaseKeyStore(
                    file: path, prepare: { DataFolder.make(folder) }, told: told, report: report)
            case .server(let url):
                let server = PostgreSQLServer(url)
                self.server = server
                store = try DatabaseKeyStore(on: server, told: told, report: report)
            }
        } catch let error as StoreError {
            throw Complaint("managed keys: \(error)", exitCode: .configuration)
        }
        if keys.areUnknown {
            log.say(
                "headgate: managed keys are not known before their database answers: until then only keys of the "
                    + "configuration are let in, and all others get a 503")
        }
        (self.keys, self.place, self.environment, self.log) = (keys, place, environment, log)
    }

    /// - Throws: ``Complaint`` if a configuration would move the keys.
    func plan(_ configuration: Configuration) throws -> Void? {
        if place.isSame(as: ManagedKeyPlace(configuration.ledger.place, environment)) { return () }
        throw Complaint(
            "'ledger' now leads to another place for managed keys, too: start the gateway again for that",
            exitCode: .configuration)
    }

    func provide(_: Void, for _: Configuration, to parts: inout GatewayParts) {
        parts.managedKeys = keys
        parts.keyStore = store
    }

    func adopt(_: Void?) {}

    /// Adapts the store to a configuration that is served from now on.
    ///
    /// - Parameter configured: the configuration's own keys.
    func adopt(_ snapshot: GatewaySnapshot, _ configuration: Configuration, beside configured: [KeyConfiguration]) {
        // The configuration can have another password.
        if case .postgreSQL(let url) = configuration.ledger.place { server?.change(to: url) }
        keys.areServed = snapshot.servesManagedKeys
        let both = keys.names(alsoOf: configured)
        guard !both.isEmpty else { return }
        log.say(
            "headgate: the configuration and the managed keys both have \(both.joined(separator: ", ")): the "
                + "configuration's is let in; revoke the managed one with 'headgate key revoke', or rename one of them")
    }

    /// Closes the store. Must not be called on a loop.
    func close() { store.close() }
}
