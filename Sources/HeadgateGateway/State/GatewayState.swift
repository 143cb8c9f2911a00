internal import HeadgateConfiguration
package import HeadgateHTTP

/// State of the process that outlives a reload.
///
/// Every loop reads and writes it. Locks are held for a constant time, however much is kept.
package final class GatewayState: Sendable {
    /// The memory of all request bodies.
    package let bodyMemory = BodyMemory()
    let wrongKeys: WrongKeys
    let responseMakers: ResponseMakersAccess
    let responseCache: ResponseCache.Guarded
    let limits: LimitCounters.Guarded
    let departures: Departures.Guarded
    let detachedStreams: DetachedStreams.Guarded
    private let upstreams: UpstreamStates.Guarded
    private let retries: RetryBudget.Guarded

    /// - Parameters:
    ///   - wrongKeys: counts them; by default without a limit.
    ///   - responseMakers: who created which stored response; by default nothing is kept, and they are for admins
    ///     alone.
    ///   - responseCache: answers that are kept; by default none are.
    ///   - limits: what keys, groups and models have used; by default nothing is counted.
    ///   - departures: what goes on without its client; by default it ends with its upstream alone.
    ///   - detachedStreams: the streams among that; by default none are.
    ///   - upstreams: what is known about them; by default nothing outlives a snapshot.
    ///   - retries: by default without a limit.
    package init(
        wrongKeys: WrongKeys = .unlimited, responseMakers: @escaping ResponseMakersAccess = { _ in },
        responseCache: @escaping ResponseCache.Guarded = GatewayState.noCache,
        limits: @escaping LimitCounters.Guarded = { _ in }, departures: @escaping Departures.Guarded = { _ in },
        detachedStreams: @escaping DetachedStreams.Guarded = { _ in },
        upstreams: @escaping UpstreamStates.Guarded = GatewayState.unshared,
        retries: @escaping RetryBudget.Guarded = { _ in }
    ) {
        self.wrongKeys = wrongKeys
        self.responseMakers = responseMakers
        self.responseCache = responseCache
        self.limits = limits
        self.departures = departures
        self.detachedStreams = detachedStreams
        self.upstreams = upstreams
        self.retries = retries
    }

    /// A new one for each access, whose queues hold nobody up.
    package static let unshared: UpstreamStates.Guarded = { body in
        var states = UpstreamStates {
            { change in
                var machine = UpstreamQueue.StateMachine()
                change(&machine)
            }
        }
        body(&states)
    }

    /// A new one for each access, which keeps nothing.
    package static let noCache: ResponseCache.Guarded = { body in
        var cache = ResponseCache()
        body(&cache)
    }

    /// Ends what goes on without its client, on the loops that it is on, and forgets what is kept of it: for the end of
    /// the process.
    package func endDepartures() {
        var wakes: [Departures.Wake] = []
        departures { wakes = $0.takeAll() }
        // Its own end comes first: that says why.
        detachedStreams { wakes += $0.deleteAll() }
        for wake in wakes { wake() }
    }

    // MARK: Budgets

    /// Tells budgets what was used before.
    package func restore(_ history: BudgetHistory) { limits { $0.restore(history) } }

    /// What was told does not hold for budgets that are configured from now on.
    package func forgetBudgetHistories() { limits { $0.forgetHistories() } }

    // MARK: By name, for snapshots

    func health(of target: TargetName) -> TargetHealth { access { $0.health(of: target) } }

    func reach(of upstream: String) -> UpstreamReach { access { $0.reach(of: upstream) } }

    func queue(of upstream: String) -> UpstreamQueue { access { $0.queue(of: upstream) } }

    /// - Parameter keys: of the upstream, in the order of the configuration.
    func keyRing(_ keys: [Secret], of upstream: String) -> KeyRing { access { $0.keys(keys, of: upstream) } }

    /// - Parameter model: a public name.
    func firstContentTimes(of model: String) -> FirstContentTimes { access { $0.firstContentTimes(of: model) } }

    // MARK: Other gateways

    /// Targets whose breakers are open here.
    ///
    /// - Parameter now: monotonic nanoseconds.
    package func openBreakers(at now: UInt64) -> [BreakerHint] { access { $0.openBreakers(at: now) } }

    /// Targets whose breakers are open at other gateways: all of them.
    package func note(_ hints: [BreakerHint], at now: UInt64) { access { $0.note(hints, at: now) } }

    private func access<Value>(_ body: (inout UpstreamStates) -> Value) -> Value {
        var value: Value?
        upstreams { value = body(&$0) }
        guard let value else { preconditionFailure("the states of upstreams were not accessed") }
        return value
    }

    // MARK: Retries, of all models

    /// Counts the first send of a request.
    ///
    /// - Parameter now: monotonic nanoseconds.
    func noteRequest(at now: UInt64) { retries { $0.noteRequest(at: now) } }

    /// Takes one of the repeated sends that the last minute allows, if one is left.
    ///
    /// - Parameters:
    ///   - percent: of the last minute's requests.
    ///   - now: monotonic nanoseconds.
    func takeRetry(percent: Int, at now: UInt64) -> Bool {
        var isTaken = true
        retries { isTaken = $0.take(percent: percent, at: now) }
        return isTaken
    }
}
