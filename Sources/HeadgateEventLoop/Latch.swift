internal import CHeadgate
internal import Glibc
internal import HeadgatePrimitives

/// Lets a thread that is not a loop's wait for something to happen, as often as it does.
package final class Signal: Sendable {
    // Needs a stable address, and is safe from any thread by definition.
    nonisolated(unsafe) private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    package func raise() { sem_post(semaphore) }

    package func wait() {
        while sem_wait(semaphore) != 0 {}
    }

    /// - Returns: whether it was raised in time.
    package func wait(atMost limit: Duration) -> Bool {
        headgate_semaphore_wait(semaphore, limit.clampedNanoseconds)
    }
}

/// A ``Signal`` that stays raised: opened once, it lets everybody pass.
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
    /// Runs the closure on the loop and waits for its result. Not from a loop.
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
