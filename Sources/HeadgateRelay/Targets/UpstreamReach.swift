internal import Synchronization

/// Whether an upstream can be reached, as far as its latest connections and checks tell. Atomics: every loop reads and
/// writes. Instants are monotonic nanoseconds.
package final class UpstreamReach: Sendable {
    /// How long it is not tried after a connection that found no route or no name.
    static let rest: UInt64 = 5_000_000_000

    private let offlineEnd = Atomic<UInt64>(0)
    private let unhealthy = Atomic<Bool>(false)

    /// The end of its time offline; nil for one that may be tried.
    package func offlineUntil(at now: UInt64) -> UInt64? {
        let end = offlineEnd.load(ordering: .relaxed)
        return now < end ? end : nil
    }

    /// A connection found no route, or no such name.
    ///
    /// - Parameter rest: nanoseconds.
    func noteUnreachable(at now: UInt64, rest: UInt64 = UpstreamReach.rest) {
        offlineEnd.store(now &+ rest, ordering: .relaxed)
    }

    /// A connection stands.
    func noteConnected() {
        // Most of the time there is nothing to change, and a store would take the cache line from other loops.
        if offlineEnd.load(ordering: .relaxed) != 0 { offlineEnd.store(0, ordering: .relaxed) }
    }

    /// What the last active check said; true without one.
    package var isHealthy: Bool { !unhealthy.load(ordering: .relaxed) }

    func noteCheck(isHealthy: Bool) { unhealthy.store(!isHealthy, ordering: .relaxed) }
}
