import HeadgateEventLoop
import HeadgateGateway

extension GatewayState {
    /// One whose parts are kept, each behind a lock of its own.
    /// - Parameter limits: by default nothing is counted.
    static func kept(limits: @escaping LimitCounters.Guarded = { _ in }) -> GatewayState {
        let responseMakers = Locked(ResponseMakers())
        let retries = Locked(RetryBudget())
        let responseCache = Locked(ResponseCache())
        let departures = Locked(Departures())
        let detachedStreams = Locked(DetachedStreams())
        let states = UpstreamStates {
            let queue = Locked(UpstreamQueue.StateMachine())
            return { queue.withLock($0) }
        }
        let upstreams = Locked(states)
        return GatewayState(
            responseMakers: { responseMakers.withLock($0) }, responseCache: { responseCache.withLock($0) },
            limits: limits, departures: { departures.withLock($0) }, detachedStreams: { detachedStreams.withLock($0) },
            upstreams: { upstreams.withLock($0) },
            retries: { retries.withLock($0) })
    }
}
