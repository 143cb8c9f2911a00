internal import Glibc
internal import HeadgateEventLoop
internal import Synchronization

/// The thread that writes finished requests from a journal into the ledger's database, in batches.
///
/// What cannot be written stays in the journal and is tried again. It sleeps while nothing is to be done, and is woken
/// by the first request that ends then.
final class LedgerCollector: Sendable {
    private let journal: Journal
    private let thread: DatabaseThread
    private let file: String
    private let report: @Sendable (String) -> Void
    private let wakeUp = Signal()
    private let isIdle = Atomic<Bool>(false)
    private let isClosed = Atomic<Bool>(false)
    private let isWorking = Atomic<Bool>(true)
    private let finished = Latch()

    /// Requests of one transaction.
    private static let batch = 1024
    /// How long requests are gathered for one.
    private static let gathering = Duration.milliseconds(100)
    private static let pause = Duration.seconds(1)
    /// How often those that were killed meanwhile are looked for.
    private static let round = Duration.seconds(60)

    /// - Throws: ``ThreadShortage``.
    init(
        _ journal: Journal, _ thread: DatabaseThread, file: String, report: @escaping @Sendable (String) -> Void
    ) throws(ThreadShortage) {
        self.journal = journal
        self.thread = thread
        self.file = file
        self.report = report
        pthread_detach(try startThread(running: runLedgerCollector, with: self))
    }

    var works: Bool { isWorking.load(ordering: .relaxed) }

    /// A request has ended. From a loop: it costs a system call only where the thread sleeps.
    func wake() {
        guard isIdle.load(ordering: .sequentiallyConsistent),
            isIdle.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        wakeUp.raise()
    }

    /// Writes what is waiting, and ends, without being waited for.
    func end() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        wakeUp.raise()
    }

    /// The same, waited for. Not from a loop.
    func close() {
        end()
        _ = finished.wait(atMost: .seconds(5))
    }

    func complain(_ error: StoreError) {
        if isWorking.exchange(false, ordering: .relaxed) {
            report("\(error); what requests use is kept until it can be written")
        }
    }

    fileprivate func run() {
        let clock = ContinuousClock()
        recover()
        var nextRound = clock.now.advanced(by: LedgerCollector.round)
        while true {
            let isLast = isClosed.load(ordering: .sequentiallyConsistent)
            let entries = journal.collect(LedgerCollector.batch)
            if entries.isEmpty {
                if isLast { break }
                rest()
            } else if write(entries) {
                journal.letGo(entries)
            } else {
                if isLast { break }
                _ = wakeUp.wait(atMost: LedgerCollector.pause)
            }
            if clock.now >= nextRound {
                recover()
                nextRound = clock.now.advanced(by: LedgerCollector.round)
            }
        }
        // What is left is for the next one to find.
        if journal.isEmpty { journal.remove() }
        thread.close()
        finished.open()
    }

    private func rest() {
        isIdle.store(true, ordering: .sequentiallyConsistent)
        if journal.pendingCount == 0 { _ = wakeUp.wait(atMost: LedgerCollector.round) }
        isIdle.store(false, ordering: .sequentiallyConsistent)
        // More may end now.
        if !isClosed.load(ordering: .sequentiallyConsistent) { _ = wakeUp.wait(atMost: LedgerCollector.gathering) }
    }

    /// What gateways that were killed have left.
    private func recover() {
        for path in LedgerFiles.journals(of: file) where path != journal.path {
            guard let entries = Journal.remains(at: path) else { continue }
            guard entries.isEmpty || write(entries) else { return }
            unlink(path)
        }
    }

    private func write(_ entries: [JournalEntry]) -> Bool {
        let (failure, done) = (Locked<StoreError?>(nil), Latch())
        thread.append { (database) throws(StoreError) in
            for entry in entries { try database.insert(entry) }
            return { done.open() }
        } failed: { error in
            failure.withLock { $0 = error }
            done.open()
        }
        done.wait()
        if let error = failure.withLock(\.self) {
            complain(error)
            return false
        }
        if !isWorking.exchange(true, ordering: .relaxed) { report("\(file): what requests use is written again") }
        return true
    }
}

private func runLedgerCollector(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<LedgerCollector>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
