package import HeadgateHTTP
internal import HeadgatePrimitives

/// State of the process that outlives a reload.
///
/// Every loop reads and writes it. Locks are held for a constant time, however much is kept.
package final class GatewayState: Sendable {
    /// The memory of all request bodies.
    package let bodyMemory = BodyMemory()
    let wrongKeys = WrongKeys()
    /// The creators of stored responses.
    let responseMakers = Locked(ResponseMakers())
    let responseCache = Locked(ResponseCache())
    /// Usage of keys, groups and models.
    let limits = Locked(LimitCounters())
    /// Responses that continue without their clients.
    let departures = Locked(Departures())
    /// Streams that clients can resume.
    let detachedStreams = Locked(DetachedStreams())
    package let targets = TargetStates()

    package init() {}

    /// Ends what goes on without its client, on the loops that it is on, and forgets what is kept of it: for the end of
    /// the process.
    package func endDepartures() {
        let wakes = departures.withLock { $0.takeAll() }
        // Its own end comes first: that says why.
        let readers = detachedStreams.withLock { $0.deleteAll() }
        for wake in wakes + readers { wake() }
    }

    // MARK: Budgets

    /// Tells budgets what was used before.
    package func restore(_ history: BudgetHistory) { limits.withLock { $0.restore(history) } }

    /// What was told does not hold for budgets that are configured from now on.
    package func forgetBudgetHistories() { limits.withLock { $0.forgetHistories() } }
}
