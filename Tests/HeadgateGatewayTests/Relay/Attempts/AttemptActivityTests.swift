import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Effects of attempts on the state of their targets.
@Suite struct AttemptActivityTests {
    typealias Plan = PlannedTransport.Plan

    private static let limited = Plan.json("{\"error\":{\"message\":\"slow down\"}}", status: 429)
    private static let second: UInt64 = 1_000_000_000

    private let state = GatewayState()

    private func health(_ upstream: String) -> TargetHealth {
        state.targets.health(of: TargetName(upstream: upstream, model: "m"))
    }

    /// Opens the breaker of `a`, which is half-open for the next request.
    private func openBreaker() {
        health("a").noteFailure(at: 1, threshold: 1, cooldown: 1)
    }

    // MARK: Resting keys

    @Test(arguments: [0, 1])
    func aTargetWhoseOnlyKeyRestsIsSkipped(keys: Int) async {
        let gateway = RoutedGateway([[Self.limited], [.stream("B")]], keys: keys, state: state)
        for _ in 0..<5 { #expect(await gateway.chat().status == 200) }
        #expect(gateway.sent == [1, 5])
    }

    @Test func theOnlyTargetIsTriedWhateverItsState() async {
        let gateway = RoutedGateway([[Self.limited, .stream("A")]], keys: 0, state: state) { model, _ in
            model.retry.attempts = 1
            model.targets[0].breaker = BreakerConfiguration()
        }
        #expect(await gateway.chat().status == 429)
        #expect(await gateway.chat().status == 200)
    }

    /// Status 408 means that the upstream was too slow; any other 4xx means that it works.
    @Test(arguments: [(408, true), (409, false), (404, false), (500, true)])
    func statusDecidesWhetherTheTargetWorks(_ status: Int, _ opensBreaker: Bool) async {
        let gateway = RoutedGateway([[.json("{}", status: status)]], state: state) { model, _ in
            model.retry.attempts = 1
            model.targets[0].breaker = BreakerConfiguration(failures: 1, cooldown: .seconds(3600))
        }
        _ = await gateway.chat()
        let isOpen = if case .open = health("a").state(at: 1) { true } else { false }
        #expect(isOpen == opensBreaker)
    }

    // MARK: Burst after the start

    @Test func nextTargetServesEveryRequestOfAnUnreachableOne() async {
        let gateway = RoutedGateway([[.failing(.connect)], [.stream("B")]], state: state)
        for _ in 0..<20 { #expect(await gateway.chat().status == 200) }
        #expect(gateway.sent == [5, 20])
    }

    // MARK: Disconnects

    @Test(arguments: [[], [Plan.role], [Plan.role, Plan.content("A")]])
    func departedClientsAreNotInFlight(chunks: [String]) async {
        let leaving = Plan(headerFields: Plan.events, chunks: chunks, end: nil, clientLeaves: true)
        let gateway = RoutedGateway([[leaving], [.stream("B")]], state: state)
        for _ in 0..<20 { _ = await gateway.chat() }
        #expect(gateway.sent == [20, 0])
        #expect(health("a").requestsInFlight == 0)
        #expect(health("a").state(at: 0) == .closed)
    }

    @Test func aProbeWhoseClientLeavesMakesWayForTheNext() async {
        let leaving = Plan(headerFields: Plan.events, chunks: [Plan.role], end: nil, clientLeaves: true)
        let gateway = RoutedGateway([[leaving, .stream("A")], [.stream("B")]], state: state)
        openBreaker()
        _ = await gateway.chat()
        #expect(health("a").state(at: Self.second) == .halfOpen)
        #expect(await gateway.chat().text.contains("\"A\""))
        #expect(health("a").state(at: Self.second) == .closed)
    }

    @Test func aProbeWithoutARouteDoesNotCount() async {
        let gateway = RoutedGateway([[.failing(.unreachable)], [.stream("B")]], state: state)
        openBreaker()
        #expect(await gateway.chat().status == 200)
        #expect(health("a").state(at: Self.second) == .halfOpen)
    }

    @Test func aProbeThatFailsKeepsTheTargetOut() async {
        let gateway = RoutedGateway([[.failing(.closedBeforeResponse)], [.stream("B")]], state: state)
        openBreaker()
        for _ in 0..<3 { #expect(await gateway.chat().status == 200) }
        #expect(gateway.sent == [1, 3])
    }
}
