package import HeadgateHTTP

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
    ///   - guarded: keeps the history behind the lock of whoever composes the gateway.
    package init(realtime: @escaping @Sendable () -> Int64, guarded: @escaping Guarded) {
        startedAt = realtime()
        now = realtime
        self.guarded = guarded
    }

    /// One that remembers nothing.
    static func forgetful(realtime: @escaping @Sendable () -> Int64) -> StatusBoard {
        StatusBoard(realtime: realtime) { _ in }
    }

    /// Remembers a request that went to an upstream, or went wrong. Pages and health checks would only crowd these out.
    package func observe(_ outcome: inout Outcome) {
        guard outcome.upstream != nil || outcome.errorCode != nil else { return }
        let now = now()
        guarded { $0.add(outcome, at: now) }
    }

    /// A copy, as it is now. It shares its memory with the history until that changes: so the lock is held for 0.2 us here, and once for
    /// 4.5 us, instead of 0.2, by the next request that ends (measured with 200 entries and Swift 6.3).
    var history: RequestHistory {
        var copy = RequestHistory()
        guarded { copy = $0 }
        return copy
    }
}
