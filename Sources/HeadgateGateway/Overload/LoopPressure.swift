/// Whether one loop has more work than it can do, judged by how late a timer of it is. Pure.
///
/// A machine that was suspended, or whose processors were taken away, is late once. Overload is late tick after tick.
package struct LoopPressure: Sendable {
    package struct Limits: Sendable {
        /// Nanoseconds between two ticks of the timer.
        package var interval: UInt64 = 250_000_000
        /// Nanoseconds above which a tick is late.
        package var lag: UInt64 = 250_000_000
        /// Nanoseconds for which ticks have to be late.
        package var patience: UInt64 = 2_000_000_000
        /// Nanoseconds above which the machine itself stood still.
        package var longestLag: UInt64 = 10_000_000_000

        package init() {}
    }

    package let limits: Limits
    /// Whether new requests are refused.
    package private(set) var isOverloaded = false
    private var due: UInt64
    /// The first of the late ticks.
    private var lateSince: UInt64?

    /// - Parameter now: monotonic nanoseconds.
    package init(_ limits: Limits = Limits(), at now: UInt64) {
        self.limits = limits
        due = now + limits.interval
    }

    /// The timer has fired, and is set for ``Limits/interval`` from now.
    ///
    /// - Parameter hasLoad: whether the loop has clients.
    package mutating func tick(at now: UInt64, hasLoad: Bool) {
        let lag = now > due ? now - due : 0
        due = now + limits.interval
        guard hasLoad, lag > limits.lag, lag <= limits.longestLag else {
            (lateSince, isOverloaded) = (nil, false)
            return
        }
        let first = lateSince ?? now
        lateSince = first
        isOverloaded = now - first >= limits.patience
    }
}
