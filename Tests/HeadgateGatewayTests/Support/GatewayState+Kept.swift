import HeadgateEventLoop
import HeadgateGateway

extension GatewayState {
    /// One whose parts are kept, each behind a lock of its own.
    static func kept() -> GatewayState {
        let responseMakers = Locked(ResponseMakers())
        let (upstreams, retries) = (Locked(UpstreamStates()), Locked(RetryBudget()))
        return GatewayState(
            responseMakers: { responseMakers.withLock($0) }, upstreams: { upstreams.withLock($0) },
            retries: { retries.withLock($0) })
    }
}
