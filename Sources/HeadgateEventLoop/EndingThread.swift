internal import HeadgatePrimitives

/// Thread whose end others can wait for. The first of them joins it, so that what libraries keep for each thread is
/// released before the process exits.
package final class EndingThread: Sendable {
    private let finished = Latch()
    /// Nil before the start, and once the thread has been joined.
    private let thread = Locked<StartedThread?>(nil)

    package init() {}

    deinit { thread.withLock { $0.take() }?.detach() }

    /// Starts the thread with an object that is retained for it. Its last call must be ``finish()``.
    package func start(
        running body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?, with object: AnyObject
    ) throws(ThreadShortage) {
        let started = try startThread(running: body, with: object)
        thread.withLock { $0 = started }
    }

    package func finish() { finished.open() }

    /// Whether the thread has nothing left to do.
    package var isFinished: Bool { finished.wait(atMost: .zero) }

    /// Waits for the end. Must not be called on the thread itself.
    ///
    /// - Returns: whether it ended in time.
    @discardableResult
    package func wait(atMost limit: Duration) -> Bool {
        guard finished.wait(atMost: limit) else { return false }
        thread.withLock { $0.take() }?.join()
        return true
    }
}
