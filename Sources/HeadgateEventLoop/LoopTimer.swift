/// One-shot timer of a loop, as cheap to move as every ``LoopDeadline``.
package final class LoopTimer: LoopDeadline {
    /// Called on the loop. It must not retain the owner of this timer.
    package var action: () -> Void

    /// - Parameter action: can also be set later, by an owner that is still being initialized.
    package init(loop: EventLoop, action: @escaping () -> Void = {}) {
        self.action = action
        super.init(loop: loop)
    }

    override package func deadlinePassed() { action() }

    /// Cancels the timer. Then any thread can release it.
    package func cancel() { remove() }
}

extension Duration {
    /// Nanoseconds, from 0 to about 30 years. The result is worth storing, since the conversion costs more than
    /// scheduling a timer.
    package var clampedNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        let bounded = UInt64(min(max(0, seconds), 1_000_000_000))
        return bounded * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
    }
}
