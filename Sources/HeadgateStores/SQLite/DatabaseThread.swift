internal import HeadgateEventLoop
internal import HeadgateLibC
internal import HeadgatePrimitives

/// Thread of one database. It runs jobs in order, several writes in one transaction, and each read separately. A read
/// sees all earlier writes, and its result does not wait for the next read.
///
/// Callers do not wait for the thread. If it falls behind, it refuses jobs.
final class DatabaseThread: Sendable {
    /// Work of a job, in a transaction if it writes. If a transaction of several writes fails, each of them runs again
    /// separately.
    ///
    /// - Returns: a closure that is called on the thread after the commit.
    typealias Work = @Sendable (SQLiteDatabase) throws(StoreError) -> (@Sendable () -> Void)?

    private struct Job: Sendable {
        let octets: Int
        let isReading: Bool
        let work: Work
        let failed: @Sendable (StoreError) -> Void
    }

    private struct State: Sendable {
        /// Jobs that the thread has not started.
        var queue: [Job] = []
        /// Number of unfinished jobs.
        var jobs = 0
        var octets = 0
        var isClosed = false
    }

    /// Limits of pending jobs.
    struct Limits: Sendable {
        var jobs = 8_192
        var octets = 64 << 20
        /// Maximum number of writes in one transaction.
        var batch = 256
    }

    let file: String
    private let limits: Limits
    private let state = Locked(State())
    private let database: Locked<SQLiteDatabase?>
    private let wakeUp = Signal()
    private let thread = EndingThread()
    /// Periodic work; nil for a thread that only reads.
    private let chore: Work?
    private let choreInterval: Duration
    /// Whether the chore has more work; then it is repeated without a pause, alternating with pending jobs.
    private let isChoreLeft: @Sendable () -> Bool

    /// - Parameters:
    ///   - isChoreLeft: called after the chore; returns whether to repeat it without a pause.
    ///   - chore: periodic work, first done at the start; nil for a thread that only reads.
    /// - Throws: ``StoreError``, or ``ThreadShortage``.
    init(
        _ database: sending SQLiteDatabase, limits: Limits = Limits(), every choreInterval: Duration = .seconds(60),
        isChoreLeft: @escaping @Sendable () -> Bool = { false }, chore: Work?
    ) throws {
        file = database.file
        self.limits = limits
        self.chore = chore
        self.choreInterval = choreInterval
        self.isChoreLeft = isChoreLeft
        self.database = Locked(database)
        try thread.start(running: runDatabaseThread, with: self)
    }

    /// Adds a job. Can be called from any thread, and does not wait.
    ///
    /// - Parameters:
    ///   - octets: bytes of memory that the job holds.
    ///   - isReading: whether the job only reads, and so needs no lock that another process can hold.
    ///   - failed: called once instead of the job's closure: on the thread, or at once if the job is refused.
    func append(
        octets: Int = 0, isReading: Bool = false, _ work: @escaping Work,
        failed: @escaping @Sendable (StoreError) -> Void
    ) {
        let refusal: StoreError.Cause? = state.withLock { state in
            if state.isClosed { return .closed }
            guard state.jobs < limits.jobs, state.octets + octets <= limits.octets || state.jobs == 0 else {
                return .overloaded
            }
            state.queue.append(Job(octets: octets, isReading: isReading, work: work, failed: failed))
            state.jobs += 1
            state.octets += octets
            return nil
        }
        if let refusal { failed(StoreError(refusal, file)) } else { wakeUp.raise() }
    }

    /// Finishes pending jobs, accepts no more, and closes the file. Does not wait for the end.
    func end() {
        state.withLock { $0.isClosed = true }
        wakeUp.raise()
    }

    /// Whether the file is closed.
    var isDone: Bool { thread.isFinished }

    /// Ends the thread and waits for the end. Must not be called on a loop.
    func close() {
        end()
        thread.wait(atMost: .seconds(5))
    }

    fileprivate func run() {
        // The database is used only here.
        if let database = database.withLock({ $0.take() }) { run(database) }
        thread.finish()
    }

    private func run(_ database: SQLiteDatabase) {
        let clock = ContinuousClock()
        var nextChore = clock.now
        // Taken jobs in reverse order, so that each is released when it is done.
        var taken: [Job] = []
        while true {
            if let chore, clock.now >= nextChore {
                perform([Job(octets: 0, isReading: false, work: chore, failed: { _ in })], database)
                nextChore = clock.now
                if !isChoreLeft() {
                    // If the log cannot be emptied now, it is emptied the next time.
                    try? database.emptyLog()
                    nextChore = clock.now.advanced(by: choreInterval)
                }
            }
            var isClosed = false
            if taken.isEmpty { (taken, isClosed) = take() }
            if !taken.isEmpty {
                let group = nextGroup(of: &taken)
                perform(group, database)
                noteDone(group)
            } else if isClosed {
                break
            } else {
                let pause = chore == nil ? choreInterval : clock.now.duration(to: nextChore)
                _ = wakeUp.wait(atMost: max(pause, .milliseconds(1)))
            }
        }
    }

    private func take() -> (jobs: [Job], isClosed: Bool) {
        state.withLock { state in
            var queue: [Job] = []
            swap(&queue, &state.queue)
            return (queue.reversed(), state.isClosed)
        }
    }

    /// Takes the jobs to run together: one read, or as many writes as fit into one transaction.
    private func nextGroup(of taken: inout [Job]) -> [Job] {
        var group: [Job] = []
        while group.count < limits.batch, let next = taken.last {
            if next.isReading, !group.isEmpty { break }
            group.append(taken.removeLast())
            if next.isReading { break }
        }
        return group
    }

    private func noteDone(_ jobs: [Job]) {
        state.withLock { state in
            state.jobs -= jobs.count
            for job in jobs { state.octets -= job.octets }
        }
    }

    private func perform(_ jobs: [Job], _ database: SQLiteDatabase) {
        var finished: [@Sendable () -> Void] = []
        func work() throws(StoreError) {
            for job in jobs { if let done = try job.work(database) { finished.append(done) } }
        }
        do throws(StoreError) {
            if jobs[0].isReading { try work() } else { try database.transaction(work) }
        } catch {
            return performApart(jobs, database, after: error)
        }
        for done in finished { done() }
    }

    /// Runs the jobs of a failed transaction separately, since one of them might have caused the failure.
    private func performApart(_ jobs: [Job], _ database: SQLiteDatabase, after error: StoreError) {
        for job in jobs {
            // The transaction has already waited for the lock.
            if jobs.count == 1 || error.cause == .busy { job.failed(error) } else { perform([job], database) }
        }
    }
}

private func runDatabaseThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<DatabaseThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}

/// Handle to a store's end. The store can be used until then.
package struct StoreEnd: Sendable {
    private let thread: DatabaseThread

    init(_ thread: DatabaseThread) { self.thread = thread }

    /// Whether the store has finished pending writes and closed its file.
    package var isOver: Bool { thread.isDone }

    /// Ends the store and waits for the end. Must not be called on a loop.
    package func close() { thread.close() }
}
