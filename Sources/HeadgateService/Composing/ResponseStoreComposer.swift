import CHeadgate
import HeadgateConfiguration
import HeadgateGateway
import HeadgateRelay
import HeadgateStores

/// Opens the store of responses. It stays open over reloads that do not change its file, so that turns of conversations
/// continue, and counts do not fall.
final class ResponseStoreComposer: StoreComposer {
    struct Plan {
        fileprivate let file: ResponseStoreFile
        fileprivate let size: Int
        fileprivate let lock: PlaceLock
        let store: SQLiteResponseStore
    }

    private var current: Plan?
    /// Replaced stores that requests can still use.
    private var former: [(end: StoreEnd, lock: PlaceLock)] = []
    private let locks: PlaceLocks
    private let environment: [String: String]
    private let log: LogWriter
    private let isGuest: Bool

    /// - Parameters:
    ///   - isGuest: whether the gateway works without a store if another gateway has it.
    ///   - locks: locks of this process.
    init(environment: [String: String], log: LogWriter, isGuest: Bool, locks: PlaceLocks) {
        self.locks = locks
        self.environment = environment
        self.log = log
        self.isGuest = isGuest
    }

    func plan(_ configuration: Configuration) throws -> Plan? {
        guard let configuration = configuration.responses else { return nil }
        let file = try ResponseStoreFile(configuration, environment: environment)
        let size = configuration.maximumSize
        if let current, current.file == file {
            return Plan(file: file, size: size, lock: current.lock, store: current.store)
        }
        try file.check()
        file.makeFolder()
        let lock: PlaceLock
        do {
            lock = try locks.take(file.path + ".lock", for: file.path, of: "responses")
        } catch let complaint as Complaint where isGuest {
            log.say("headgate: this gateway stores no responses: \(complaint.message)")
            return nil
        }
        do {
            let log = log
            let store = try SQLiteResponseStore(
                file: file.path, largest: size, now: { headgate_realtime_nanoseconds() / 1_000_000_000 },
                report: { log.say("headgate: kept responses: \($0)") })
            return Plan(file: file, size: size, lock: lock, store: store)
        } catch let error as StoreError {
            throw Complaint("responses: \(error)", exitCode: .configuration)
        }
    }

    func provide(_ plan: Plan, for configuration: Configuration, to parts: inout GatewayParts) {
        guard let responses = configuration.responses else { return }
        parts.keptResponses = LocalResponses(
            plan.store, lifetime: responses.lifetime, largestRequest: configuration.limits.body)
    }

    func adopt(_ plan: Plan?) {
        former.removeAll { $0.end.isOver }
        if let current, current.store !== plan?.store { former.append((current.store.ending, current.lock)) }
        if let plan { plan.store.resize(to: plan.size) }
        current = plan
    }

    /// Closes the store, and replaced ones.
    func close() {
        for store in former { store.end.close() }
        current?.store.close()
        (former, current) = ([], nil)
    }
}
