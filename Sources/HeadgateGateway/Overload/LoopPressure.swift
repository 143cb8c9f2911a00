/// Detector of a loop that has more work than it can do, judged by the lag of a timer. Pure.
///
/// A machine that was suspended, or whose processors were taken away, makes one tick late. Overload makes tick after
/// tick late.
package struct LoopPressure: Sendable {
    package struct Limits: Sendable {
        /// Nanoseconds between two ticks of the timer.
        package var interval: UInt64 = 250_000_000
        /// Lag above which a tick counts as late, in nanoseconds.
        package var lag: UInt64 = 250_000_000
        /// Time for which ticks must be late, in nanoseconds.
        package var patience: UInt64 = 2_000_000_000
        /// Lag above which the machine itself must have stood still, in nanoseconds.
        package var longestLag: UInt64 = 10_000_000_000

        package init() {}
    }

    package let limits: Limits
    /// Whether new requests are refused.
    package private(set) var isOverloaded = false
    private var due: UInt64
    /// Time of the first late tick; nil if the latest tick was on time.
    private var lateSince: UInt64?

    /// - Parameter now: monotonic nanoseconds.
    package init(_ limits: Limits = Limits(), at now: UInt64) {
        self.limits = limits
        due = now + limits.interval
    }

    /// Judges a tick of the timer, which is then set for ``Limits/interval`` from now.
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
