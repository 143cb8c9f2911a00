/// A one-shot timer of a loop, cheap to move as every ``LoopDeadline``.
package final class LoopTimer: LoopDeadline {
    /// Called on the loop. It must not retain the owner of this timer.
    package var action: () -> Void

    /// - Parameter action: may be set later, by an owner that is still being made.
    package init(loop: EventLoop, action: @escaping () -> Void = {}) {
        self.action = action
        super.init(loop: loop)
    }

    override package func deadlinePassed() { action() }

    /// Cancels the timer. Then any thread can release it.
    package func cancel() { remove() }
}

extension Duration {
    /// At least 0, at most about 30 years. Worth keeping: the conversion costs more than scheduling a timer.
    package var clampedNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        let bounded = UInt64(min(max(0, seconds), 1_000_000_000))
        return bounded * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
    }
}
