import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateRelay
import HeadgateStores

/// Opens the usage ledger, and keeps it open over reloads that do not change its place.
final class LedgerComposer: StoreComposer {
    struct Plan {
        fileprivate let place: LedgerConfiguration.Place
        /// Ledger with a journal; nil for a ledger in memory.
        fileprivate let journaled: JournaledLedger?
        let ledger: any UsageLedger
    }

    private var current: Plan?
    private let environment: [String: String]
    private let log: LogWriter
    private let sharesExpectedly: Bool

    /// - Parameter sharesExpectedly: whether the gateway is expected to share a ledger, so that this is not reported.
    init(environment: [String: String], log: LogWriter, sharesExpectedly: Bool) {
        self.environment = environment
        self.log = log
        self.sharesExpectedly = sharesExpectedly
    }

    func plan(_ configuration: Configuration) throws -> Plan? {
        // Replayed responses have no usage.
        let place = configuration.isReplayed ? .none : configuration.ledger.place
        let kept = configuration.ledger.lifetime.components.seconds * 1000
        if let current, current.place == place {
            current.journaled?.keep(for: kept)
            return current
        }
        switch place {
        case .none: return nil
        case .memory: return Plan(place: place, journaled: nil, ledger: memory(kept))
        case .file(let path):
            do {
                return try open(path, kept, place)
            } catch let error as StoreError {
                throw Complaint("ledger: \(error)", exitCode: .configuration)
            }
        case .postgreSQL(let url): return try open(url, kept, place)
        case .standard: return inDataFolder(kept)
        }
    }

    private func inDataFolder(_ kept: Int64) -> Plan {
        guard let folder = DataFolder.path(environment) else {
            return inMemory(kept, "there is no data folder, as HOME is not set")
        }
        DataFolder.make(folder)
        do {
            return try open(folder + "/usage.db", kept, .standard)
        } catch {
            return inMemory(kept, "\(error)")
        }
    }

    private func inMemory(_ kept: Int64, _ reason: String) -> Plan {
        log.say(
            "headgate: usage is kept in memory until the gateway ends: \(reason). 'ledger: sqlite:PATH' names another "
                + "place, 'ledger: memory' says that this is meant")
        return Plan(place: .standard, journaled: nil, ledger: memory(kept))
    }

    private func open(_ path: String, _ kept: Int64, _ place: LedgerConfiguration.Place) throws -> Plan {
        if !sharesExpectedly, JournaledLedger.isInUse(path) { report("\(path): shared with another gateway that runs") }
        let ledger = try JournaledLedger(
            file: path, kept: kept, now: LedgerComposer.now, awaitsLocks: !sharesExpectedly, report: report)
        return Plan(place: place, journaled: ledger, ledger: ledger)
    }

    /// Opens the ledger. An unavailable server does not prevent the start.
    private func open(_ url: PostgreSQLURL, _ kept: Int64, _ place: LedgerConfiguration.Place) throws -> Plan {
        let server = PostgreSQLServer(url)
        // At the start, the store of managed keys has queried the server already.
        if current != nil { try PostgreSQLProbe(server).checkLasting() }
        func ledger(in folder: String?) throws -> Plan {
            let ledger = try JournaledLedger(
                on: server, folder: folder, kept: kept, now: LedgerComposer.now, awaitsLocks: !sharesExpectedly,
                report: report)
            return Plan(place: place, journaled: ledger, ledger: ledger)
        }
        var reason = "there is no data folder, as HOME is not set"
        if let folder = DataFolder.path(environment) {
            DataFolder.make(folder)
            do {
                return try ledger(in: folder)
            } catch let error as StoreError {
                reason = "\(error)"
            }
        }
        log.say(
            "headgate: usage on its way to PostgreSQL is in memory alone, and lost if the gateway is killed: \(reason)")
        return try ledger(in: nil)
    }

    private var report: @Sendable (String) -> Void {
        let log = log
        return { log.say("headgate: usage: \($0)") }
    }

    private func memory(_ kept: Int64) -> MemoryLedger { MemoryLedger(kept: kept, now: LedgerComposer.now) }

    /// Milliseconds since 1970.
    private static let now: @Sendable () -> Int64 = { headgate_realtime_nanoseconds() / 1_000_000 }

    func provide(_ plan: Plan, for _: Configuration, to parts: inout GatewayParts) { parts.ledger = plan.ledger }

    func adopt(_ plan: Plan?) { current = plan }

    func handOver() { current?.journaled?.pause() }

    /// Writes to the ledger again, since the other process does not serve.
    func resume() { current?.journaled?.resume() }

    /// Writes the requests that another gateway left in its journal, and passes on their usage by key.
    func readJournals(atOnce: Bool, _ body: @escaping @Sendable ([UsageRow]) -> Void) {
        current?.journaled?.readJournals(atOnce: atOnce, body)
    }

    func close() { current?.journaled?.close() }
}
