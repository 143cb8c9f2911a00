internal import Glibc

/// A thread for what would hold a loop for too long, such as the reading of a document of many megabytes.
///
/// Started when there is such work and ended when there is none, as it is rare. Work waits its turn: large documents
/// hold up each other and nothing else.
package final class SideThread: Sendable {
    private struct State {
        var queue: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let state = Locked(State())

    package init() {}

    fileprivate func append(_ work: @escaping @Sendable () -> Void) {
        let wasRunning = state.withLock { state in
            defer { state.isRunning = true }
            state.queue.append(work)
            return state.isRunning
        }
        if !wasRunning { start() }
    }

    private func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        guard pthread_create(&thread, nil, runSideThread, context.toOpaque()) != 0 else {
            pthread_detach(thread)
            return
        }
        // A machine without a thread to spare has worse troubles than a loop that is late.
        context.takeRetainedValue().run()
    }

    fileprivate func run() {
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.isRunning = false
                return nil
            }
            return state.queue.removeFirst()
        }
    }
}

/// Work on a side thread that somebody waits for.
package final class SideWork: Sendable {
    private let isCancelled = Locked(false)

    fileprivate init() {}

    /// The work is not begun any more; one that has begun comes to its end.
    package func cancel() { isCancelled.withLock { $0 = true } }

    fileprivate func run<Value>(_ work: () -> Value) -> Value? { isCancelled.withLock { $0 } ? nil : work() }
}

extension EventLoop {
    /// Does work where it holds up no loop.
    ///
    /// - Parameter completion: is called on this loop, in a callback of its own; given nil for work that was given up before it
    ///   began.
    package func aside<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, completion: @escaping (Value?) -> Void
    ) -> SideWork {
        let side = SideWork()
        let waiting = LoopBound(Waiting(completion), on: self)
        sideThread.append {
            let value = side.run(work)
            waiting.loop.execute { waiting.value.finish(value) }
        }
        return side
    }
}

/// Who waits is forgotten on its own loop, whichever thread lets go of the rest last.
private final class Waiting<Value> {
    private var completion: ((Value?) -> Void)?

    init(_ completion: @escaping (Value?) -> Void) { self.completion = completion }

    func finish(_ value: Value?) {
        let completion = completion
        self.completion = nil
        completion?(value)
    }
}

private func runSideThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<SideThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
