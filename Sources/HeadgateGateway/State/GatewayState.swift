internal import HeadgateConfiguration
package import HeadgateHTTP
internal import HeadgatePrimitives

/// State of the process that outlives a reload.
///
/// Every loop reads and writes it. Locks are held for a constant time, however much is kept.
package final class GatewayState: Sendable {
    /// The memory of all request bodies.
    package let bodyMemory = BodyMemory()
    let wrongKeys = WrongKeys()
    /// Who created which stored response.
    let responseMakers = Locked(ResponseMakers())
    let responseCache = Locked(ResponseCache())
    /// What keys, groups and models have used.
    let limits = Locked(LimitCounters())
    /// What goes on without its client.
    let departures = Locked(Departures())
    /// The streams among that.
    let detachedStreams = Locked(DetachedStreams())
    private let upstreams = Locked(UpstreamStates())
    /// Of all models.
    private let retries = Locked(RetryBudget())

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

    // MARK: By name, for snapshots

    func health(of target: TargetName) -> TargetHealth { upstreams.withLock { $0.health(of: target) } }

    func reach(of upstream: String) -> UpstreamReach { upstreams.withLock { $0.reach(of: upstream) } }

    func queue(of upstream: String) -> UpstreamQueue { upstreams.withLock { $0.queue(of: upstream) } }

    /// - Parameter keys: of the upstream, in the order of the configuration.
    func keyRing(_ keys: [Secret], of upstream: String) -> KeyRing {
        upstreams.withLock { $0.keys(keys, of: upstream) }
    }

    /// - Parameter model: a public name.
    func firstContentTimes(of model: String) -> FirstContentTimes {
        upstreams.withLock { $0.firstContentTimes(of: model) }
    }

    // MARK: Other gateways

    /// Targets whose breakers are open here.
    ///
    /// - Parameter now: monotonic nanoseconds.
    package func openBreakers(at now: UInt64) -> [BreakerHint] { upstreams.withLock { $0.openBreakers(at: now) } }

    /// Targets whose breakers are open at other gateways: all of them.
    package func note(_ hints: [BreakerHint], at now: UInt64) { upstreams.withLock { $0.note(hints, at: now) } }

    // MARK: Retries, of all models

    /// Counts the first send of a request.
    ///
    /// - Parameter now: monotonic nanoseconds.
    func noteRequest(at now: UInt64) { retries.withLock { $0.noteRequest(at: now) } }

    /// Takes one of the repeated sends that the last minute allows, if one is left.
    ///
    /// - Parameters:
    ///   - percent: of the last minute's requests.
    ///   - now: monotonic nanoseconds.
    func takeRetry(percent: Int, at now: UInt64) -> Bool {
        retries.withLock { $0.take(percent: percent, at: now) }
    }
}
