internal import CHeadgate
internal import HeadgateGateway
internal import HeadgateRelay
internal import HeadgateStores

/// What loops do for a ledger: requests are noted in a journal, from which nobody writes them into a database.
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
