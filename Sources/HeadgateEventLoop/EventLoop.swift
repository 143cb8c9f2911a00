internal import CHeadgate
internal import CLibevent
internal import HeadgateLibC
internal import HeadgatePrimitives

/// One thread that waits on one `event_base`, and the executor of every task that runs on it.
///
/// Connections, transfers and timers belong to one loop and are only used on its thread. Work reaches a loop through
/// ``execute(_:)``, through tasks that prefer it as their executor, or through events that were created on it.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    let base: OpaquePointer
    /// Small, stable index into per-loop tables; 0 for the first loop of a group.
    package let index: Int
    /// Number of connections on the loop. The acceptor reads it to choose the loop with the fewest.
    package let load = LoadCounter()
    /// Buffer shared by every channel of the loop. Its bytes are borrowed until the callback returns.
    package let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    let sideThreads: SideThreads

    private let jobs = Cell(Batches<UnownedJob>())
    private let ticks = Cell(Batches<any TickEnd>())
    private let spareBuffers = Cell<[[UInt8]]>([])
    private var depth = 0
    private var isStopped = false
    /// Time of the current callback; 0 if the clock has not been read in it.
    private var callbackTime: UInt64 = 0
    private let inbox = LoopInbox()
    private var wakeUp: SocketEvent?
    private var continuation: LoopTimer?
    private let deadlines = Cell(DeadlineHeap())
    /// The loop's only libevent timer, set to the earliest deadline.
    private let tick: UnsafeMutablePointer<event>
    /// Instant at which the timer fires; `.max` if it does not.
    private var tickAt = UInt64.max
    /// Earliest instant for deadlines that are set while deadlines pass; 0 at all other times. They wait for the next
    /// pass, so that sockets get their turn.
    private var nextPass: UInt64 = 0
    @exclusivity(unchecked) private var dateCache = HTTPDateCache()

    /// - Parameter sideThreads: side threads that all loops of a group share.
    package init(index: Int = 0, sideThreads: SideThreads = SideThreads()) {
        self.index = index
        self.sideThreads = sideThreads
        let configuration = event_config_new()
        // This flag saves epoll_ctl calls. It is safe because an event is always deleted before its descriptor is
        // closed.
        event_config_set_flag(configuration, Int32(EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST.rawValue))
        event_config_set_flag(configuration, Int32(EVENT_BASE_FLAG_NOLOCK.rawValue))
        guard let base = event_base_new_with_config(configuration) else {
            fatalError("libevent could not make an event base: no descriptor or no memory is left at start")
        }
        event_config_free(configuration)
        self.base = base
        tick = .allocate(capacity: 1)
        event_assign(tick, base, -1, 0, tickFired, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        event_del(tick)
        tick.deallocate()
        event_base_free(base)
        readBuffer.deallocate()
    }

    /// Whether the caller runs on this loop's thread.
    @inline(__always)
    package var isCurrent: Bool {
        headgate_current_loop() == Unmanaged.passUnretained(self).toOpaque()
    }

    /// The loop that runs on this thread. Traps if there is none, since all callers are loop-confined.
    package static var current: EventLoop {
        guard let pointer = headgate_current_loop() else { preconditionFailure("not on an event loop") }
        return Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Monotonic nanoseconds, as used by every deadline. The clock is read once per callback, so that a whole callback
    /// has the same time.
    package var now: UInt64 {
        if depth == 0 { return headgate_monotonic_nanoseconds() }
        if callbackTime == 0 { callbackTime = headgate_monotonic_nanoseconds() }
        return callbackTime
    }

    /// `Date` line for a head, from the line end before it; created once per second.
    package var dateLine: [UInt8] { dateCache.line(at: headgate_realtime_nanoseconds() / 1_000_000_000) }
    /// Value of the `Date` header.
    package var httpDate: String { HTTPDate.text(headgate_realtime_nanoseconds() / 1_000_000_000) }

    // MARK: Running

    /// Runs until ``stop()``; the calling thread becomes the loop's.
    package func run() {
        headgate_set_current_loop(Unmanaged.passUnretained(self).toOpaque())
        wakeUp = SocketEvent(loop: self, descriptor: inbox.descriptor, kind: .read) { [unowned self] in runInbox() }
        wakeUp?.add()
        continuation = LoopTimer(loop: self) {}
        endBatch()
        while !isStopped {
            event_base_loop(base, EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY)
            endBatch()
        }
        wakeUp = nil
        continuation = nil
        inbox.close()
        headgate_set_current_loop(nil)
    }

    /// Ends ``run()`` after the callbacks that are active now. Can be called from any thread.
    package func stop() {
        execute { [unowned self] in isStopped = true }
    }

    /// Runs a closure on the loop, in a separate callback: after the current one if called on the loop, and otherwise
    /// as soon as the loop wakes up. Can be called from any thread.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        inbox.append(.work(work))
    }

    // MARK: Executor

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard isCurrent else { return inbox.append(.job(job)) }
        jobs.value.append(job)
        // Outside a callback, during the loop's setup, the queue would not be processed.
        if depth == 0 { continuation?.schedule(after: .zero) }
    }

    package func checkIsolated() {
        precondition(isCurrent, "this belongs to another event loop")
    }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    // MARK: Callbacks

    /// Runs the body of a libevent callback, and then the tasks that it woke.
    func callback(_ body: () -> Void) {
        if depth == 0 { callbackTime = 0 }
        depth += 1
        body()
        if depth == 1 {
            runTasks()
            if ticks.value.count >= EventLoop.maximumTicks { endTicks() }
        }
        depth -= 1
    }

    /// Calls `tick.tickEnded()` once, before the loop sleeps, or after 16 such calls have gathered.
    ///
    /// Sockets that became ready together are answered together, so that the peers wake up once, not once per response.
    /// With 64 busy connections, a request was measured to cost a tenth less.
    package func atEndOfTick(_ tick: any TickEnd) {
        ticks.value.append(tick)
        if depth == 0 { continuation?.schedule(after: .zero) }
    }

    private static let maximumTicks = 16
    /// Maximum number of rounds without a look at the sockets. Tasks that keep waking each other cannot starve them.
    private static let maximumRounds = 64

    /// Ends a batch, after all callbacks of one wait have run.
    private func endBatch() {
        callbackTime = 0
        depth += 1
        endTicks()
        depth -= 1
    }

    private func endTicks() {
        var rounds = 0
        while rounds < EventLoop.maximumRounds, !(jobs.value.isEmpty && ticks.value.isEmpty) {
            rounds += 1
            runTasks()
            let ended = ticks.value.take()
            for tick in ended { tick.tickEnded() }
            ticks.value.giveBack(ended)
        }
        if !(jobs.value.isEmpty && ticks.value.isEmpty) { continuation?.schedule(after: .zero) }
    }

    private func runTasks() {
        var rounds = 0
        while !jobs.value.isEmpty {
            guard rounds < EventLoop.maximumRounds else {
                continuation?.schedule(after: .zero)
                return
            }
            rounds += 1
            let batch = jobs.value.take()
            for job in batch {
                // Not as the serial executor: a nonisolated function would count as elsewhere, and every task would be
                // queued twice.
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
            jobs.value.giveBack(batch)
        }
    }

    private func runInbox() {
        for entry in inbox.takeAll() {
            switch entry {
            case .work(let work): work()
            case .job(let job): jobs.value.append(job)
            }
        }
    }

    // MARK: Deadlines

    /// Nanoseconds before its instant at which a deadline counts as due, since libevent's clock is coarser than the
    /// loop's.
    static let earliness: UInt64 = 500_000

    /// - Returns: the instant at which the loop checks the deadline.
    func arm(_ deadline: LoopDeadline, for instant: UInt64) -> UInt64 {
        let armed = max(instant, nextPass)
        deadlines.value.set(deadline, at: armed)
        if armed < tickAt, nextPass == 0 { setTick(at: armed) }
        return armed
    }

    func disarm(_ deadline: LoopDeadline) {
        assert(isCurrent || wakeUp == nil, "a deadline was released on another thread while its loop ran")
        deadlines.value.remove(deadline)
    }

    private func setTick(at instant: UInt64) {
        let now = now
        let wait = instant > now ? instant - now : 0
        var interval = timeval(
            tv_sec: time_t(wait / 1_000_000_000), tv_usec: suseconds_t((wait % 1_000_000_000) / 1000))
        tickAt = instant
        event_add(tick, &interval)
    }

    fileprivate func passDeadlines() {
        let due = now + EventLoop.earliness
        tickAt = .max
        nextPass = due + 1
        while let deadline = deadlines.value.takeEarliest(until: due) { deadline.comeDue() }
        nextPass = 0
        let earliest = deadlines.value.earliest
        // Deadlines that were set meanwhile and are already due follow right after the sockets.
        if earliest != .max { setTick(at: earliest > due + 1 ? earliest : 0) }
    }

    // MARK: Buffers

    /// Returns an empty buffer that can already have capacity. It must be given back with ``recycle(_:)``, so that an
    /// idle connection owns none.
    package func borrowBuffer() -> [UInt8] { spareBuffers.value.popLast() ?? [] }

    package func recycle(_ buffer: consuming [UInt8]) {
        let capacity = buffer.capacity
        guard capacity > 0, capacity <= 128 * 1024, spareBuffers.value.count < 64 else { return }
        var buffer = buffer
        buffer.removeAll(keepingCapacity: true)
        spareBuffers.value.append(buffer)
    }
}

/// Object with work to do after callbacks have run, such as a channel that sends all queued bytes in one call.
package protocol TickEnd: AnyObject {
    func tickEnded()
}

private func tickFired(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<EventLoop>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.passDeadlines() }
}
