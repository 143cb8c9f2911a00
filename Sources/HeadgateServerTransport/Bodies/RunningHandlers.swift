internal import HeadgateEventLoop
internal import HeadgatePrimitives
internal import Synchronization

/// Counter of the tasks that run for requests. A shutdown waits for them, because they would stop halfway if the loops
/// stopped.
final class RunningHandlers: Sendable {
    private let count = Atomic<Int>(0)
    /// Whether a shutdown waits. `end()` lowers the count and then reads this; `finish(within:)` sets this and then
    /// reads the count. Both are sequentially consistent, so that at least one sees what the other wrote.
    private let isAwaited = Atomic<Bool>(false)
    private let waiter = Locked(Waiter.none)

    private enum Waiter {
        case none
        case waiting(UnsafeContinuation<Void, Never>)
        /// No task is left to wait for, or the time is over.
        case over
    }

    func begin() { count.add(1, ordering: .relaxed) }

    func end() {
        let left = count.subtract(1, ordering: .sequentiallyConsistent).newValue
        if left == 0, isAwaited.load(ordering: .sequentiallyConsistent) { goOn() }
    }

    /// Waits until no task is left, but no longer than the grace period. Called once.
    func finish(within grace: Duration) async {
        let bound = Task { [self] in
            do { try await Task.sleep(for: grace) } catch { return }
            goOn()
        }
        await withUnsafeContinuation { continuation in
            let isOver = waiter.withLock { waiter in
                if case .over = waiter { return true }
                waiter = .waiting(continuation)
                return false
            }
            if isOver { return continuation.resume() }
            isAwaited.store(true, ordering: .sequentiallyConsistent)
            if count.load(ordering: .sequentiallyConsistent) == 0 { goOn() }
        }
        bound.cancel()
    }

    private func goOn() {
        let waiter = waiter.withLock { waiter in
            defer { waiter = .over }
            return waiter
        }
        if case .waiting(let continuation) = waiter { continuation.resume() }
    }
}
