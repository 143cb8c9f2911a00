internal import HeadgateEventLoop
internal import HeadgateLibC
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import Synchronization

/// The thread of a ledger's database. It writes finished requests from a journal in batches, and removes expired ones.
///
/// Requests that cannot be written stay in the journal for a retry. The thread sleeps while there is no work, and the
/// next finished request wakes it.
final class LedgerCollector: Sendable {
    private let journal: Journal
    private let journals: LedgerFiles
    private let name: String
    private let forgetting: Duration
    private let before: @Sendable () -> Int64
    private let report: @Sendable (String) -> Void
    private let database: Locked<(any LedgerDatabase)?>
    private let wakeUp = Signal()
    private let isIdle = Atomic<Bool>(false)
    private let isClosed = Atomic<Bool>(false)
    /// Set while another process writes to the database; opened once this one does not.
    private let pausing = Locked<Latch?>(nil)
    /// Set while journals are to be read now: what their requests have used is passed to it.
    private let reading = Locked<(@Sendable ([UsageRow]) -> Void)?>(nil)
    private let isWorking = Atomic<Bool>(true)
    private let finished = Latch()
    private let past = Locked(Past())
    private let crowd: Int
    private let awaitsLocks: Bool

    /// The requests of earlier processes.
    private struct Past: Sendable {
        /// The latest end among them, in milliseconds since 1970; nil until all of them are in the database.
        var latest: Int64?
        var waiting: [@Sendable (_ latest: Int64) -> Void] = []
    }

    /// Requests of one transaction: another process that shares the file waits for some milliseconds.
    private static let batch = 4096
    /// So many that have ended are not gathered any longer: their places are in the processor's caches still.
    private static let crowded = 1024
    /// How long requests are gathered for one.
    private static let gathering = Duration.milliseconds(100)
    private static let pause = Duration.seconds(1)
    /// How often those that were killed meanwhile are looked for.
    private static let round = Duration.seconds(60)

    /// - Parameters:
    ///   - forgetting: the interval in which expired requests are removed.
    ///   - before: returns the end before which requests are expired, in milliseconds since 1970.
    ///   - awaitsLocks: whether a locked journal is tried again at the start: not if its gateway is known to run.
    /// - Throws: ``ThreadShortage``.
    init(
        _ journal: Journal, _ database: sending any LedgerDatabase, journals: LedgerFiles, forgetting: Duration,
        before: @escaping @Sendable () -> Int64, awaitsLocks: Bool, report: @escaping @Sendable (String) -> Void
    ) throws(ThreadShortage) {
        self.journal = journal
        self.journals = journals
        self.awaitsLocks = awaitsLocks
        name = database.name
        self.forgetting = forgetting
        self.before = before
        self.report = report
        self.database = Locked(database)
        crowd = min(max(journal.slots / 4, 2), LedgerCollector.crowded)
        try startThread(running: runLedgerCollector, with: self).detach()
    }

    var works: Bool { isWorking.load(ordering: .relaxed) }

    /// A request has ended. From a loop: it costs a system call only where the thread sleeps and nothing waits for it
    /// yet, or so many that it must not sleep on.
    ///
    /// - Parameter pending: how many have ended and are not written.
    func wake(_ pending: Int) {
        if pending == crowd { return wakeUp.raise() }
        guard isIdle.load(ordering: .sequentiallyConsistent),
            isIdle.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        wakeUp.raise()
    }

    /// Waits until the journals of killed gateways are in the database.
    ///
    /// - Parameter body: called once, here or on the collecting thread, with the latest end of an earlier request.
    func afterRecovery(_ body: @escaping @Sendable (_ latest: Int64) -> Void) {
        let latest = past.withLock { past in
            if past.latest == nil { past.waiting.append(body) }
            return past.latest
        }
        if let latest { body(latest) }
    }

    private func noteRecovery(_ latest: Int64) {
        let waiting = past.withLock { past in
            if past.latest == nil { past.latest = latest }
            defer { past.waiting = [] }
            return past.waiting
        }
        for body in waiting { body(latest) }
    }

    /// Writes what is waiting, and ends, without being waited for.
    func end() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        wakeUp.raise()
    }

    /// Ends it and waits for the end. Must not be called on a loop.
    func close() {
        end()
        _ = finished.wait(atMost: .seconds(5))
    }

    /// Writes what is waiting, then writes nothing until ``resume()``. If it ends before that, the journal stays for
    /// another gateway. A journal in memory would be lost, so it is still written.
    func pause() {
        guard !journal.path.isEmpty else { return }
        let latch = Latch()
        pausing.withLock { $0 = latch }
        wakeUp.raise()
        _ = latch.wait(atMost: .seconds(5))
    }

    func resume() {
        pausing.withLock { $0 = nil }
        wakeUp.raise()
    }

    /// Writes the journals of gateways that have ended now, instead of once a minute.
    ///
    /// - Parameter body: called with the use of their requests by key, on the collecting thread, once it is written.
    func readJournals(_ body: @escaping @Sendable ([UsageRow]) -> Void) {
        reading.withLock { $0 = body }
        wakeUp.raise()
    }

    // MARK: On the thread

    fileprivate func run() {
        // It is used only here.
        if let database = database.withLock({ $0.take() }) { run(database) }
        // Releases those who still wait; their questions are refused by then.
        noteRecovery(0)
        finished.open()
    }

    private func run(_ database: any LedgerDatabase) {
        let clock = ContinuousClock()
        var strangers: Set<String> = []
        var (nextRound, hasLooked) = (clock.now, false)
        var nextChore = clock.now
        var batch = JournalBatch(of: journal)
        while true {
            let isLast = isClosed.load(ordering: .sequentiallyConsistent)
            let reading = reading.withLock { $0 }
            let pause = pausing.withLock { $0 }
            // At least once; a closing ledger does not wait for others.
            if reading != nil && isWorking.load(ordering: .relaxed) || clock.now >= nextRound, !isLast || !hasLooked {
                let isDone = recover(database, &strangers, for: reading) && hasNotedRecovery(database)
                hasLooked = true
                nextRound = clock.now.advanced(by: isDone ? LedgerCollector.round : LedgerCollector.pause)
            }
            batch.fill(upTo: LedgerCollector.batch)
            let count = batch.entries.count
            if count == 0 {
                if isLast { break }
                if let pause {
                    guard hasResumed(after: pause) else { return }
                    continue
                }
                if clock.now < nextChore { rest(atMost: clock.now.duration(to: min(nextChore, nextRound))) }
            } else if write(batch.entries, of: journal.process, batch.number, into: database) {
                batch.release()
                // One transaction for each handful would be most of the work.
                if !isLast, pause == nil, count < LedgerCollector.batch { gather() }
            } else {
                if isLast { break }
                if let pause {
                    guard hasResumed(after: pause) else { return }
                    continue
                }
                _ = wakeUp.wait(atMost: LedgerCollector.pause)
            }
            if clock.now >= nextChore, !isLast {
                // A failed write can succeed soon, whether or not requests wait.
                nextChore = clock.now.advanced(by: forget(database) ?? LedgerCollector.pause)
            }
        }
        // Remaining requests are left for the next gateway.
        if journal.isEmpty { journal.remove() }
    }

    /// Waits until the pause or the ledger ends.
    ///
    /// - Returns: whether it was the pause.
    private func hasResumed(after pause: Latch) -> Bool {
        pause.open()
        while pausing.withLock({ $0 }) != nil {
            if isClosed.load(ordering: .sequentiallyConsistent) { return false }
            _ = wakeUp.wait(atMost: LedgerCollector.round)
        }
        return true
    }

    private func rest(atMost limit: Duration) {
        isIdle.store(true, ordering: .sequentiallyConsistent)
        if journal.pendingCount == 0 { _ = wakeUp.wait(atMost: min(limit, LedgerCollector.round)) }
        isIdle.store(false, ordering: .sequentiallyConsistent)
        if journal.pendingCount > 0 { gather() }
    }

    /// More may end now.
    private func gather() {
        guard !isClosed.load(ordering: .sequentiallyConsistent), journal.pendingCount < crowd else { return }
        _ = wakeUp.wait(atMost: LedgerCollector.gathering)
    }

    /// Writes the journals of killed gateways.
    ///
    /// - Parameters:
    ///   - strangers: reported files with such names that are not journals.
    ///   - reading: is passed the use of their requests; a gateway that holds a lock ends in a moment then.
    /// - Returns: whether everything is written.
    private func recover(
        _ database: any LedgerDatabase, _ strangers: inout Set<String>,
        for reading: (@Sendable ([UsageRow]) -> Void)?
    ) -> Bool {
        let isPatient = reading != nil || awaitsLocks && past.withLock { $0.latest == nil }
        for path in journals.journals where path != journal.path {
            guard let remains = remains(at: path, patiently: isPatient) else { continue }
            guard remains.isJournal else {
                if strangers.insert(path).inserted {
                    report("\(path): it is no journal of this version of the gateway, and is left alone")
                }
                continue
            }
            guard
                remains.entries.isEmpty
                    || write(remains.entries, of: remains.process, LedgerWriter.lastBatch, into: database)
            else { return false }
            unlink(path)
            reading?(UsageRow.byKey(remains.entries))
        }
        // A failed round is repeated for the same reader.
        if reading != nil { self.reading.withLock { $0 = nil } }
        // A file that cannot be removed now is removed the next time.
        try? database.forgetJournals { process in
            process == journal.process || FileIdentity(of: journals.journal(of: process)) != nil
        }
        return true
    }

    /// Returns nil for the journal of a live gateway. A process that starts a program briefly holds copies of all
    /// locks. At the start, when budgets wait for recovery, a lock is therefore tried again.
    private func remains(at path: String, patiently isPatient: Bool) -> JournalRemains? {
        let tries = isPatient ? 25 : 1
        for attempt in 1...tries {
            if let remains = JournalRemains(at: path) { return remains }
            if attempt < tries, !isClosed.load(ordering: .sequentiallyConsistent) { usleep(20_000) }
        }
        return nil
    }

    /// Called before any request of this process is written.
    private func hasNotedRecovery(_ database: any LedgerDatabase) -> Bool {
        if past.withLock({ $0.latest != nil }) { return true }
        do throws(StoreError) {
            noteRecovery(try database.latestEnd())
        } catch {
            note(error)
            return false
        }
        return true
    }

    /// - Returns: the time of the next removal; nil if it cannot be done now.
    private func forget(_ database: any LedgerDatabase) -> Duration? {
        do throws(StoreError) {
            let isLeft = try database.forget(before: before())
            noteSuccess()
            return isLeft ? .zero : forgetting
        } catch {
            note(error)
            return nil
        }
    }

    private func write(
        _ entries: [JournalEntry], of process: Int64, _ batch: Int64, into database: any LedgerDatabase
    ) -> Bool {
        do throws(StoreError) {
            try database.write(entries, of: process, batch: batch) { entry in
                if process == journal.process { journal.note(batch, of: entry) }
            }
        } catch {
            note(error)
            return false
        }
        noteSuccess()
        return true
    }

    private func note(_ error: StoreError) {
        guard isWorking.exchange(false, ordering: .relaxed) else { return }
        report("\(error); what requests use is kept until it can be written")
    }

    private func noteSuccess() {
        if !isWorking.exchange(true, ordering: .relaxed) { report("\(name): what requests use is written again") }
    }
}

extension UsageRow {
    /// Sums the use of requests by key.
    fileprivate static func byKey(_ entries: [JournalEntry]) -> [UsageRow] {
        var rows: [String: UsageRow] = [:]
        for entry in entries {
            let (row, name) = (entry.row, String(decoding: entry.row.kind.key, as: UTF8.self))
            var sum = rows[name] ?? UsageRow(name)
            sum.requests += 1
            sum.promptTokens = sum.promptTokens.addingCapped(row.promptTokens.map { Int($0) })
            sum.completionTokens = sum.completionTokens.addingCapped(row.completionTokens.map { Int($0) })
            sum.cost = sum.cost.addingCapped(row.cost.map { Int($0) })
            rows[name] = sum
        }
        return Array(rows.values)
    }
}

private func runLedgerCollector(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<LedgerCollector>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
