import HeadgateEventLoop
import HeadgateGateway

extension GatewayState {
    /// One that remembers who made which response, behind a lock of its own.
    static func kept() -> GatewayState {
        let responseMakers = Locked(ResponseMakers())
        return GatewayState(responseMakers: { responseMakers.withLock($0) })
    }
}
