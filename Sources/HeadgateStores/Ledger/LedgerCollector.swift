internal import HeadgateEventLoop
internal import HeadgateLibC
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import Synchronization

/// Thread of a ledger's database. It writes finished requests from a journal in batches, and removes expired ones.
///
/// Requests that cannot be written stay in the journal for a retry. The thread sleeps while there is no work; the next
/// finished request wakes it.
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
    /// Latch of a pause, set while another process writes to the database; opened once this one has stopped writing.
    private let pausing = Locked<Latch?>(nil)
    /// Receiver of the usage in other journals, until there is some.
    private let reading = Locked<Reader?>(nil)
    private let isWorking = Atomic<Bool>(true)
    private let thread = EndingThread()
    private let past = Locked(Past())
    private let crowd: Int
    private let awaitsLocks: Bool

    private struct Reader: Sendable {
        let body: @Sendable ([UsageRow]) -> Void
        /// Whether journals are to be read at once.
        var isDue: Bool
    }

    /// Requests of earlier processes.
    private struct Past: Sendable {
        /// Latest end among them, in milliseconds since 1970; nil until all of them are in the database.
        var latest: Int64?
        var waiting: [@Sendable (_ latest: Int64) -> Void] = []
    }

    /// Maximum requests in one transaction. Another process that shares the file waits some milliseconds for it.
    private static let batch = 4096
    /// Number of finished requests that ends gathering: their slots are still in the processor's caches.
    private static let crowded = 1024
    /// Time for which requests are gathered for one transaction.
    private static let gathering = Duration.milliseconds(100)
    private static let pause = Duration.seconds(1)
    /// Interval of searches for journals of gateways that were killed meanwhile.
    private static let round = Duration.seconds(60)

    /// - Parameters:
    ///   - forgetting: the interval at which expired requests are removed.
    ///   - before: returns the end before which requests are expired, in milliseconds since 1970.
    ///   - awaitsLocks: whether to retry locked journals at the start; false if their gateways are known to run.
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
        try thread.start(running: runLedgerCollector, with: self)
    }

    var works: Bool { isWorking.load(ordering: .relaxed) }

    /// Notes that a request has ended. Called on a loop: it costs a system call only if the thread sleeps and is not
    /// woken yet, or if the number of pending requests reaches ``crowd``.
    ///
    /// - Parameter pending: the number of requests that have ended and are not written.
    func wake(_ pending: Int) {
        if pending == crowd { return wakeUp.raise() }
        guard isIdle.load(ordering: .sequentiallyConsistent),
            isIdle.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        wakeUp.raise()
    }

    /// Calls a closure once the journals of killed gateways are in the database.
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

    /// Writes pending requests and ends. Does not wait for the end.
    func end() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        wakeUp.raise()
    }

    /// Ends the thread and waits for the end. Must not be called on a loop.
    func close() {
        end()
        thread.wait(atMost: .seconds(5))
    }

    /// Writes pending requests, then writes nothing until ``resume()``. If the ledger ends before that, the journal is
    /// left for another gateway. A journal in memory would be lost, so it is still written.
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

    /// Passes on the usage in the journals of gateways that have ended, in the next round that finds one.
    ///
    /// - Parameters:
    ///   - atOnce: whether to begin a round now, instead of within a minute.
    ///   - body: called with the usage of their requests by key, on the collecting thread, once per written journal.
    func readJournals(atOnce: Bool, _ body: @escaping @Sendable ([UsageRow]) -> Void) {
        reading.withLock { $0 = Reader(body: body, isDue: atOnce) }
        if atOnce { wakeUp.raise() }
    }

    // MARK: On the thread

    fileprivate func run() {
        // The database is used only here.
        if let database = database.withLock({ $0.take() }) { run(database) }
        // Releases the waiting callers; their queries are refused by then.
        noteRecovery(0)
        thread.finish()
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
            // At least once. A closing ledger does not search for other journals again.
            let isDue = reading?.isDue == true && isWorking.load(ordering: .relaxed)
            if isDue || clock.now >= nextRound, !isLast || !hasLooked {
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
                // A transaction for each few requests would be most of the work.
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
                // If removing fails, it is retried soon, whether or not requests are pending.
                nextChore = clock.now.advanced(by: forget(database) ?? LedgerCollector.pause)
            }
        }
        // Remaining requests are left for the next gateway.
        if journal.isEmpty { journal.remove() }
    }

    /// Waits until the pause or the ledger ends.
    ///
    /// - Returns: whether the pause ended.
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

    /// Waits a moment for more requests to end.
    private func gather() {
        guard !isClosed.load(ordering: .sequentiallyConsistent), journal.pendingCount < crowd else { return }
        _ = wakeUp.wait(atMost: LedgerCollector.gathering)
    }

    /// Writes the journals of killed gateways.
    ///
    /// - Parameters:
    ///   - strangers: reported files that are named like journals and are not journals.
    ///   - reading: receiver of the usage of their requests. If it is due, locked journals are retried, since their
    ///     gateways are about to end.
    /// - Returns: whether everything is written.
    private func recover(
        _ database: any LedgerDatabase, _ strangers: inout Set<String>,
        for reading: Reader?
    ) -> Bool {
        var hasTold = false
        let isPatient = reading?.isDue == true || awaitsLocks && past.withLock { $0.latest == nil }
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
            reading?.body(UsageRow.byKey(remains.entries))
            hasTold = reading != nil
        }
        // A failed round is repeated for the same reader. A journal that stays locked is read in a later one.
        self.reading.withLock { current in
            if hasTold { current = nil }
            // One that became due meanwhile begins another round.
            if reading?.isDue == true { current?.isDue = false }
        }
        // A file that cannot be removed now is removed the next time.
        try? database.forgetJournals { process in
            process == journal.process || FileIdentity(of: journals.journal(of: process)) != nil
        }
        return true
    }

    /// Returns the journal of a killed gateway; nil if the gateway is running. A process that starts a program briefly
    /// holds copies of all locks. At the start, when budgets wait for recovery, a lock is therefore tried again.
    private func remains(at path: String, patiently isPatient: Bool) -> JournalRemains? {
        let tries = isPatient ? 25 : 1
        for attempt in 1...tries {
            if let remains = JournalRemains(at: path) { return remains }
            // Nothing announces that another process releases a lock. This thread is no loop's.
            if attempt < tries, !isClosed.load(ordering: .sequentiallyConsistent) { usleep(20_000) }
        }
        return nil
    }

    /// Notes the latest end of an earlier request. Called before any request of this process is written.
    ///
    /// - Returns: whether it is known.
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

    /// Removes expired requests.
    ///
    /// - Returns: the time until the next removal; nil if it failed.
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
    /// Returns the sums of the requests' usage by key.
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
