internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Part of a request's lease that the store of several gateways holds.
enum SharedLease: Sendable {
    /// No lease: this gateway counted alone, and sends the use to the store later.
    case alone
    case leased(any CounterLease)

    /// Releases the request's in-flight slots in the store.
    func land(_ claims: [LimitClaim]) {
        guard case .leased(let lease) = self else { return }
        lease.land(claims.filter(\.isInFlight).map(\.rules.subject.counterName))
    }

    /// Counts the use in the store, or notes it for a later request if that fails.
    ///
    /// - Parameter now: monotonic nanoseconds.
    func settle(
        _ claims: [LimitClaim], _ use: RequestUse, at now: UInt64, _ counters: Locked<LimitCounters>
    ) {
        guard case .leased(let lease) = self else { return counters.withLock { $0.noteUnshared(claims, use) } }
        let settlements = counters.withLock { $0.settlements(of: claims, use, at: now) }
        lease.settle(settlements) { isDone in
            if !isDone { counters.withLock { $0.noteUnshared(claims, use) } }
        }
    }
}

extension LimitSubject {
    /// Name of the subject in stores. Names are unique, because kinds contain no colon.
    var counterName: String { "\(kind.rawValue):\(name)" }
}

extension BudgetRule {
    /// Name of the budget's unit and period in stores.
    var counterName: String {
        let unit =
            switch unit {
            case .picodollars: "p"
            case .tokens: "t"
            }
        return unit + period.rawValue
    }
}
