import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

private let second: UInt64 = 1_000_000_000

@Suite struct UpstreamReachTests {
    private let reach = UpstreamReach()

    @Test func itCanBeReachedAtFirst() {
        #expect(reach.offlineUntil(at: 0) == nil && reach.isHealthy)
    }

    @Test func withoutARouteItIsOfflineForAWhile() {
        reach.noteUnreachable(at: second)
        #expect(reach.offlineUntil(at: second) == 6 * second)
        #expect(reach.offlineUntil(at: 6 * second) == nil)
        reach.noteUnreachable(at: 6 * second, rest: second)
        #expect(reach.offlineUntil(at: 6 * second) == 7 * second)
    }

    @Test func establishedConnectionEndsItAtOnce() {
        reach.noteUnreachable(at: second)
        reach.noteConnected()
        #expect(reach.offlineUntil(at: second) == nil)
    }

    @Test func lastCheckDecidesItsHealth() {
        reach.noteCheck(isHealthy: false)
        #expect(!reach.isHealthy && reach.offlineUntil(at: second) == nil)
        reach.noteConnected()
        #expect(!reach.isHealthy)
        reach.noteCheck(isHealthy: true)
        #expect(reach.isHealthy)
    }
}
