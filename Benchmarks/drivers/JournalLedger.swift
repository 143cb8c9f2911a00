internal import CHeadgate
internal import HeadgateGateway
internal import HeadgateLibC
internal import HeadgateRelay
internal import HeadgateStores

/// Ledger that notes requests in a journal, as loops do, and never writes them into a database.
final class JournalLedger: UsageLedger {
    private let journal: Journal

    init() throws { journal = try Journal(prefix: "/tmp/headgate-drivers-") }

    func remove() { journal.remove() }

    func begin(_ entry: borrowing LedgerEntry) -> LedgerPlace? { journal.begin(entry) }

    func prepare(_ entry: borrowing LedgerEntry, at place: LedgerPlace) { journal.prepare(entry, at: place) }

    func finish(_ entry: borrowing LedgerEntry, at place: LedgerPlace) { journal.finish(entry, at: place) }

    func finish(at place: LedgerPlace, endedAt time: Int64) -> Bool { journal.finish(at: place, endedAt: time) != nil }

    func ask(
        _ question: UsageQuestion, for interest: StoreInterest,
        completion: @escaping @Sendable (Result<[UsageRow], UsageFailure>) -> Void
    ) {
        completion(.success([]))
    }

    var health: LedgerHealth { LedgerHealth() }

    var knownSince: Int64 { 0 }

    func now() -> Int64 { headgate_realtime_nanoseconds() / 1_000_000 }
}

/// Driver of a ledger in a file: the notes of loops and the writes of its thread.
enum LedgerDrivers {
    static let all = [
        Driver(name: "ledger", unit: "request", result: 1) { iterations in
            let path = "/tmp/headgate-drivers-\(getpid())"
            guard mkdir(path, 0o700) == 0 else { throw DriverError("\(path) cannot be made: errno \(errno)") }
            defer {
                for name in ["/usage.db", "/usage.db-wal", "/usage.db-shm", ""] { HeadgateLibC.remove(path + name) }
            }
            let ledger = try JournaledLedger(
                file: path + "/usage.db", kept: 86_400_000, now: { headgate_realtime_nanoseconds() / 1_000_000 },
                report: { _ in })
            var noted = 0
            for number in 0..<iterations where note(number, in: ledger) { noted += 1 }
            ledger.close()
            return ledger.health == LedgerHealth() ? noted : 0
        }
    ]

    private static func note(_ number: Int, in ledger: JournaledLedger) -> Bool {
        var entry = LedgerEntry()
        entry.requestID = "req_\(1_000_000_000_000_000_000 + number)"
        entry.startedAt = ledger.now()
        entry.endedAt = entry.startedAt
        entry.key = "driver"
        entry.operation = "createChatCompletion"
        entry.model = number % 4 == 0 ? "mock" : "mock-mini"
        guard let place = ledger.begin(entry) else { return false }
        entry.upstream = "mock"
        entry.outcome = "finished"
        (entry.status, entry.attempts, entry.source) = (200, 1, .upstream)
        (entry.promptTokens, entry.completionTokens, entry.cost) = (24, 48, 79_200_000)
        ledger.prepare(entry, at: place)
        return ledger.finish(at: place, endedAt: ledger.now())
    }
}
