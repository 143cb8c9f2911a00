internal import HeadgatePrimitives
internal import HeadgateRelay

/// The part of a request's claims that is in the store of several gateways.
enum SharedLease: Sendable {
    /// None: the store was not asked, and is told later what was used.
    case alone
    case leased(any CounterLease)

    /// The request is no longer in flight.
    func land(_ claims: [LimitClaim]) {
        guard case .leased(let lease) = self else { return }
        lease.land(claims.filter(\.isInFlight).map(\.rules.subject.counterName))
    }

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
