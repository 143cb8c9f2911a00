internal import HeadgateEventLoop
internal import HeadgateLibC
internal import HeadgatePrimitives

/// The thread of one database. It runs jobs in order, several writes in one transaction, and each read separately. A
/// read sees all earlier writes, and its result does not wait for the next read.
///
/// Callers do not wait for it. If it falls behind, it refuses jobs.
final class DatabaseThread: Sendable {
    /// A job, in a transaction if it writes. A write can run twice: again separately, after a transaction of several
    /// has failed.
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

    /// How much may wait.
    struct Limits: Sendable {
        var jobs = 8_192
        var octets = 64 << 20
        /// Jobs that write of one transaction.
        var batch = 256
    }

    let file: String
    private let limits: Limits
    private let state = Locked(State())
    private let database: Locked<SQLiteDatabase?>
    private let wakeUp = Signal()
    private let finished = Latch()
    /// Done now and then.
    private let chore: Work?
    private let choreInterval: Duration
    /// Whether the chore is not done yet: it is done again as soon as what was handed over meanwhile is.
    private let isChoreLeft: @Sendable () -> Bool

    /// - Parameters:
    ///   - isChoreLeft: asked after the chore: whether it is to be done again at once.
    ///   - chore: done at the start, and then in this interval; nil for a thread that only reads.
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
        try startThread(running: runDatabaseThread, with: self).detach()
    }

    /// Adds a job, from any thread, without waiting.
    ///
    /// - Parameters:
    ///   - octets: bytes of memory that it holds.
    ///   - isReading: whether it only reads, and so needs no lock that another process can hold.
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

    /// Gets done what is waiting, takes no more, and lets go of the file, without being waited for.
    func end() {
        state.withLock { $0.isClosed = true }
        wakeUp.raise()
    }

    /// Whether it has let go of the file.
    var isDone: Bool { finished.wait(atMost: .zero) }

    /// Ends it and waits for the end. Must not be called on a loop.
    func close() {
        end()
        _ = finished.wait(atMost: .seconds(5))
    }

    fileprivate func run() {
        // It is used only here.
        if let database = database.withLock({ $0.take() }) { run(database) }
        finished.open()
    }

    private func run(_ database: SQLiteDatabase) {
        let clock = ContinuousClock()
        var nextChore = clock.now
        // The next one is the last: what is done is let go of.
        var taken: [Job] = []
        while true {
            if let chore, clock.now >= nextChore {
                perform([Job(octets: 0, isReading: false, work: chore, failed: { _ in })], database)
                nextChore = clock.now
                if !isChoreLeft() {
                    // If the log cannot be emptied now, it will be the next time.
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

    /// Takes what is done together: one that reads, or as many that write as one transaction may have.
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

    /// Does again what has failed together, as one of them may have spoilt it for the others.
    private func performApart(_ jobs: [Job], _ database: SQLiteDatabase, after error: StoreError) {
        for job in jobs {
            // A lock has been waited for already.
            if jobs.count == 1 || error.cause == .busy { job.failed(error) } else { perform([job], database) }
        }
    }
}

private func runDatabaseThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<DatabaseThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}

/// The end of a store that may be in use until then.
package struct StoreEnd: Sendable {
    private let thread: DatabaseThread

    init(_ thread: DatabaseThread) { self.thread = thread }

    /// Whether it has written what was waiting and let go of its file.
    package var isOver: Bool { thread.isDone }

    /// Ends it, and waits for that. Not from a loop.
    package func close() { thread.close() }
}
