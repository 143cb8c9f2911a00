internal import CHeadgate
internal import HeadgatePrimitives

/// Lets threads that are not a loop's wait for an event. Each time it is raised, one wait ends.
package final class Signal: Sendable {
    // Safe to use from any thread.
    nonisolated(unsafe) private let signal: OpaquePointer

    package init() {
        guard let signal = headgate_signal_create() else { fatalError("no memory is left for a signal") }
        self.signal = signal
    }

    deinit { headgate_signal_destroy(signal) }

    package func raise() { headgate_signal_raise(signal) }
    package func wait() { headgate_signal_wait(signal) }

    /// - Returns: whether it was raised in time.
    package func wait(atMost limit: Duration) -> Bool {
        headgate_signal_wait_at_most(signal, limit.clampedNanoseconds)
    }
}

/// A ``Signal`` that stays raised: once opened, it lets all waiters pass.
package struct Latch: Sendable {
    private let signal = Signal()

    package init() {}

    package func open() { signal.raise() }

    package func wait() {
        signal.wait()
        signal.raise()
    }

    /// - Returns: whether it was opened in time.
    package func wait(atMost limit: Duration) -> Bool {
        guard signal.wait(atMost: limit) else { return false }
        signal.raise()
        return true
    }
}

extension EventLoop {
    /// Runs a closure on the loop and waits for its result. Must not be called on a loop.
    package func performAndWait<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let latch = Latch()
        let result = Locked<Result<Value, any Error>?>(nil)
        execute {
            let outcome = Result { try body() }
            result.withLock { $0 = outcome }
            latch.open()
        }
        latch.wait()
        guard let outcome = result.withLock({ $0 }) else { preconditionFailure("the loop has not answered") }
        return try outcome.get()
    }
}
