@testable import HeadgateGateway
@testable import HeadgateRelay

extension CapabilityContext {
    /// Creates a context whose clock is fixed at the start of 1970.
    init(of snapshot: GatewaySnapshot) {
        self.init(
            relay: snapshot.relay, capabilities: snapshot.capabilities, readiness: Readiness(),
            requestIDs: RequestIDGenerator(now: { 0 }), realtime: { 0 }, startedAt: 0, opensMetrics: false)
    }
}
