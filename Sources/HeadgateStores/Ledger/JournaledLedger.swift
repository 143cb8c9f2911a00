internal import HeadgateEventLoop
internal import HeadgateGateway
package import HeadgateRelay
internal import Synchronization

/// A ledger in a database. Loops write to a ``Journal`` first, from which a separate thread writes to the database.
/// While the database cannot be written, requests wait in the journal.
package final class JournaledLedger: UsageLedger {
    private let journal: Journal
    private let collector: LedgerCollector
    private let reader: any LedgerQuestions
    private let lifetime: Lifetime
    private let clock: @Sendable () -> Int64

    private final class Lifetime: Sendable {
        let milliseconds: Atomic<Int64>

        init(_ milliseconds: Int64) { self.milliseconds = Atomic(milliseconds) }
    }

    /// - Parameters:
    ///   - journals: the paths of its journals, and of the journals of gateways that share the database.
    ///   - forgetting: the interval at which expired requests are removed.
    ///   - awaitsLocks: whether to retry locked journals at the start; false if their gateways are known to run.
    init(
        _ journal: Journal, _ database: sending any LedgerDatabase, _ reader: any LedgerQuestions,
        journals: LedgerFiles, kept: Int64, forgetting: Duration, now: @escaping @Sendable () -> Int64,
        awaitsLocks: Bool, report: @escaping @Sendable (String) -> Void
    ) throws(ThreadShortage) {
        let lifetime = Lifetime(kept)
        self.journal = journal
        self.reader = reader
        self.lifetime = lifetime
        clock = now
        collector = try LedgerCollector(
            journal, database, journals: journals, forgetting: forgetting,
            before: { now() - lifetime.milliseconds.load(ordering: .relaxed) }, awaitsLocks: awaitsLocks,
            report: report)
    }

    deinit {
        collector.end()
        reader.end()
    }

    /// Changes the lifetime of requests from now on.
    ///
    /// - Parameter kept: milliseconds for which a request is stored.
    package func keep(for kept: Int64) { lifetime.milliseconds.store(kept, ordering: .relaxed) }

    /// Writes pending requests and closes the database. Must not be called on a loop.
    package func close() {
        collector.close()
        reader.close()
    }

    /// Writes pending requests, then leaves the database to another process until ``resume()``. Requests that end from
    /// now on stay in the journal, which the other process writes once this one has ended. Must not be called on a
    /// loop.
    package func pause() { collector.pause() }

    /// Writes to the database again.
    package func resume() { collector.resume() }

    /// Passes on the usage in the journals of gateways that have ended, in the next round that finds one.
    ///
    /// - Parameters:
    ///   - atOnce: whether to begin a round now, instead of within a minute.
    ///   - body: called with the usage of their requests by key, on a thread of the ledger, once it is written.
    package func readJournals(atOnce: Bool, _ body: @escaping @Sendable ([UsageRow]) -> Void) {
        collector.readJournals(atOnce: atOnce, body)
    }

    package func begin(_ entry: borrowing LedgerEntry) -> LedgerPlace? { journal.begin(entry) }

    package func prepare(_ entry: borrowing LedgerEntry, at place: LedgerPlace) { journal.prepare(entry, at: place) }

    package func finish(_ entry: borrowing LedgerEntry, at place: LedgerPlace) {
        collector.wake(journal.finish(entry, at: place))
    }

    package func finish(at place: LedgerPlace, endedAt time: Int64) -> Bool {
        guard let pending = journal.finish(at: place, endedAt: time) else { return false }
        collector.wake(pending)
        return true
    }

    package func ask(
        _ question: UsageQuestion, for interest: StoreInterest,
        completion: @escaping @Sendable (Result<[UsageRow], UsageFailure>) -> Void
    ) {
        var question = question
        // Excludes requests that have expired but are not removed yet.
        question.since = max(question.since, knownSince)
        guard question.isGateways else { return reader.ask(question, for: interest, completion: completion) }
        collector.afterRecovery { [question, reader] latest in
            var question = question
            if let until = question.until, let end = question.end { question.until = min(max(until, latest + 1), end) }
            reader.ask(question, for: interest, completion: completion)
        }
    }

    package var health: LedgerHealth {
        LedgerHealth(
            pending: journal.pendingCount, dropped: journal.droppedCount, isWorking: collector.works)
    }

    package var knownSince: Int64 { now() - lifetime.milliseconds.load(ordering: .relaxed) }

    package func now() -> Int64 { clock() }
}
