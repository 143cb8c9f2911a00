internal import HeadgateLibC
internal import HeadgatePrimitives

/// A few threads for work that would block a loop for too long, such as reading a document of many megabytes.
///
/// A thread is started for work that finds none idle, and ends after a while without work, since such work is rare.
/// While all threads are busy, work waits in a queue, so that large documents only delay each other.
package final class SideThreads: Sendable {
    /// - Parameter begins: false if the work is refused; then it only reports that.
    fileprivate typealias Work = @Sendable (_ begins: Bool) -> Void

    private struct State {
        var queue: [Work] = []
        var threads = 0
        /// Number of threads that wait for work, except those that are being woken.
        var idle = 0
        var isStopped = false
    }

    /// Maximum number of threads.
    package static let limit = min(4, EventLoopGroup.availableProcessors)
    /// Time for which a thread waits for work.
    private static let linger = Duration.seconds(1)

    private let state = Locked(State())
    private let wakeUp = Signal()
    private let hasEnded = Signal()

    package init() {}

    /// Refuses work that has not begun, and waits for the rest. Must not be called on a loop.
    func stop() {
        let last = state.withLock { state in
            defer {
                state.isStopped = true
                state.queue = []
                state.idle = 0
            }
            return state
        }
        for work in last.queue { work(false) }
        for _ in 0..<last.idle { wakeUp.raise() }
        for _ in 0..<last.threads { hasEnded.wait() }
    }

    private enum Placement { case wake, start, queue, refuse }

    fileprivate func append(_ work: @escaping Work) {
        let placement: Placement = state.withLock { state in
            guard !state.isStopped else { return .refuse }
            state.queue.append(work)
            if state.idle > 0 {
                state.idle -= 1
                return .wake
            }
            guard state.threads < SideThreads.limit else { return .queue }
            state.threads += 1
            return .start
        }
        switch placement {
        case .wake: wakeUp.raise()
        case .start: start()
        case .queue: break
        case .refuse: work(false)
        }
    }

    private func start() {
        do throws(ThreadShortage) {
            try startThread(running: runSideThread, with: self).detach()
        } catch {
            // The work runs here. A machine without a spare thread has worse problems than a late loop.
            run(lingers: false)
        }
    }

    private enum Step {
        case work(Work)
        case wait, end
    }

    fileprivate func run(lingers: Bool) {
        while true {
            switch next(lingers: lingers) {
            case .work(let work): work(true)
            case .wait: if !wakeUp.wait(atMost: SideThreads.linger), leave() { return }
            case .end: return
            }
        }
    }

    private func next(lingers: Bool) -> Step {
        state.withLock { state in
            if !state.queue.isEmpty { return .work(state.queue.removeFirst()) }
            if lingers, !state.isStopped {
                state.idle += 1
                return .wait
            }
            state.threads -= 1
            if state.isStopped { hasEnded.raise() }
            return .end
        }
    }

    /// Removes the thread from the idle ones.
    ///
    /// - Returns: false for a thread that is being woken after all.
    private func leave() -> Bool {
        let leaves = state.withLock { state in
            guard state.idle > 0 else { return false }
            state.idle -= 1
            state.threads -= 1
            return true
        }
        if !leaves { wakeUp.wait() }
        return leaves
    }
}

/// Work on a side thread with a completion.
package final class SideWork: Sendable {
    private let isCancelled = Locked(false)

    fileprivate init() {}

    /// Cancels the work, unless it has begun; then it runs to its end.
    package func cancel() { isCancelled.withLock { $0 = true } }

    fileprivate func run<Value>(_ work: () -> Value) -> Value? { isCancelled.withLock { $0 } ? nil : work() }
}

extension EventLoop {
    /// Runs work on a side thread, so that it does not block a loop.
    ///
    /// - Parameter completion: called on this loop, in a separate callback; with nil if the work was cancelled before
    ///   it began, or was refused.
    package func aside<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, completion: @escaping (Value?) -> Void
    ) -> SideWork {
        let side = SideWork()
        let waiting = LoopBound(Waiting(completion), on: self)
        sideThreads.append { begins in
            let value = begins ? side.run(work) : nil
            waiting.loop.execute { waiting.value.finish(value) }
        }
        return side
    }
}

/// Completion that is released on its own loop, whichever thread releases the rest last.
private final class Waiting<Value> {
    private var completion: ((Value?) -> Void)?

    init(_ completion: @escaping (Value?) -> Void) { self.completion = completion }

    func finish(_ value: Value?) {
        completion.take()?(value)
    }
}

private func runSideThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<SideThreads>.fromOpaque(context).takeRetainedValue().run(lingers: true)
    return nil
}
