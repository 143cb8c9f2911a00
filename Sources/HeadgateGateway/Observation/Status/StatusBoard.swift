/// What the gateway remembers for `/status`, over reloads. Every loop writes to it, one entry for each request.
package final class StatusBoard: OutcomeObserver {
    /// Runs one change or look at a time.
    package typealias Guarded = @Sendable (_ body: (inout RequestHistory) -> Void) -> Void

    /// Nanoseconds since 1970.
    let startedAt: Int64
    let now: @Sendable () -> Int64
    private let guarded: Guarded

    /// - Parameters:
    ///   - realtime: nanoseconds since 1970.
    ///   - guarded: runs a change of the history under a lock.
    package init(realtime: @escaping @Sendable () -> Int64, guarded: @escaping Guarded) {
        startedAt = realtime()
        now = realtime
        self.guarded = guarded
    }

    /// One that remembers nothing.
    static func forgetful(realtime: @escaping @Sendable () -> Int64) -> StatusBoard {
        StatusBoard(realtime: realtime) { _ in }
    }

    /// Keeps a request that went to an upstream or failed. Pages and health checks would only displace these.
    func observe(_ outcome: inout Outcome) {
        guard outcome.upstream != nil || outcome.errorCode != nil else { return }
        let now = now()
        guarded { $0.add(outcome, at: now) }
    }

    /// A copy. Copy on write: the lock is held for 0.2 us here, and once for 4.5 us by the next request that ends
    /// (measured with 200 entries and Swift 6.3).
    var history: RequestHistory {
        var copy = RequestHistory()
        guarded { copy = $0 }
        return copy
    }
}
