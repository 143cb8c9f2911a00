internal import Synchronization

/// The reachability of an upstream, as observed by its latest connections and checks. The state is atomic, because all
/// event loops read and write it. Instants are monotonic nanoseconds.
package final class UpstreamReach: Sendable {
    /// Time for which the upstream counts as offline after a connection failed without a route or a resolvable name, in
    /// nanoseconds.
    static let rest: UInt64 = 5_000_000_000

    private let offlineEnd = Atomic<UInt64>(0)
    private let unhealthy = Atomic<Bool>(false)

    /// Returns the instant at which the upstream stops counting as offline; nil if it may be tried now.
    package func offlineUntil(at now: UInt64) -> UInt64? {
        let end = offlineEnd.load(ordering: .relaxed)
        return now < end ? end : nil
    }

    /// Records a connection that failed because there was no route or the name did not resolve.
    ///
    /// - Parameter rest: the time for which the upstream counts as offline, in nanoseconds.
    func noteUnreachable(at now: UInt64, rest: UInt64 = UpstreamReach.rest) {
        offlineEnd.store(now &+ rest, ordering: .relaxed)
    }

    /// Records that a connection was established.
    func noteConnected() {
        // Usually nothing changes, and a store would take the cache line from other event loops.
        if offlineEnd.load(ordering: .relaxed) != 0 { offlineEnd.store(0, ordering: .relaxed) }
    }

    /// Result of the last active health check; true if there was none.
    package var isHealthy: Bool { !unhealthy.load(ordering: .relaxed) }

    func noteCheck(isHealthy: Bool) { unhealthy.store(!isHealthy, ordering: .relaxed) }
}
