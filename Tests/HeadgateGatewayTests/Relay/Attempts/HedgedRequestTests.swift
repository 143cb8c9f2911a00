import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A second attempt beside a slow one: which of them is relayed, and what happens to the other.
@Suite struct HedgedRequestTests {
    typealias Plan = PlannedTransport.Plan

    private static let answer = #"{"id":"c","choices":[{"index":0,"message":{"content":"A"},"finish_reason":"stop"}]}"#

    private func routing(
        _ targets: Int = 2, after: HedgeConfiguration.Delay = .time(.milliseconds(800)),
        change: (inout ModelConfiguration, inout UpstreamConfiguration) -> Void = { _, _ in }
    ) -> ManualRouting {
        ManualRouting(targets: targets) { model, upstream in
            model.hedge = HedgeConfiguration(after: after)
            change(&model, &upstream)
        }
    }

    private func health(_ routing: ManualRouting, _ index: Int) throws -> TargetHealth {
        try #require(routing.snapshot.relay.models.route(of: "m")).targets[index].limits.health
    }

    private func stream(_ call: ManualTransport.Call?, _ texts: String...) {
        call?.respond()
        for text in texts { call?.body.send(Plan.content(text)) }
    }

    // MARK: Winner

    @Test func onlyTheFasterSecondAttemptIsRelayed() throws {
        let routing = routing()
        let exchange = routing.chat()
        let first = routing.upstreams[0].calls[0]
        first.respond()
        first.body.send(Plan.role)
        routing.clock.advance(by: .milliseconds(799))
        #expect(routing.upstreams[1].calls.isEmpty)
        routing.clock.advance(by: .milliseconds(1))
        let second = try #require(routing.upstreams[1].calls.first)
        second.respond()
        second.body.send(Plan.role)
        #expect(exchange.response == nil)
        second.body.send(Plan.content("B"))
        #expect(exchange.fields[.xHeadgateAttempts] == "2")
        #expect(exchange.fields[.xHeadgateUpstream] == "b")
        #expect(first.body.calls.last == "cancel")
        second.body.send(Plan.finish + Plan.done)
        exchange.complete()
        #expect(exchange.client.text == Plan.role + Plan.content("B") + Plan.finish + Plan.done)
        let line = try #require(routing.log.all.first)
        #expect(line.contains(#""upstream":"b","upstream_status":200"#), "\(line)")
        #expect(line.contains(#"{"upstream":"a","error":"hedge_lost","duration_ms":800},{"upstream":"b","#), "\(line)")
        #expect(line.contains(#""hedge":"won""#), "\(line)")
        #expect(line.contains(#""events":3"#), "\(line)")
        #expect(line.contains(#""outcome":"finished""#), "\(line)")
    }

    @Test func onlyTheFirstAttemptIsRelayedIfItWins() throws {
        let routing = routing()
        let exchange = routing.chat()
        routing.clock.advance(by: .milliseconds(900))
        let second = try #require(routing.upstreams[1].calls.first)
        stream(routing.upstreams[0].calls[0], "A")
        #expect(exchange.client.text == Plan.content("A"))
        #expect(exchange.fields[.xHeadgateUpstream] == "a")
        #expect(exchange.fields[.xHeadgateAttempts] == "2")
        #expect(second.isCancelled)
        routing.upstreams[0].calls[0].body.send(Plan.finish + Plan.done)
        exchange.complete()
        let line = try #require(routing.log.all.first)
        #expect(line.contains(#""attempts":[{"upstream":"a","duration_ms":900},{"upstream":"b","error":"hedge_lost""#))
        #expect(line.contains(#""hedge":"lost""#), "\(line)")
    }

    @Test func contentInTimeNeedsNoSecondAttempt() {
        let routing = routing()
        let exchange = routing.chat()
        stream(routing.upstreams[0].calls[0], "A")
        routing.clock.advance(by: .seconds(20))
        #expect(routing.upstreams[1].calls.isEmpty)
        routing.upstreams[0].calls[0].body.send(Plan.finish + Plan.done)
        exchange.complete()
        #expect(exchange.fields[.xHeadgateAttempts] == nil)
        #expect(routing.log.all.first?.contains("hedge") == false)
    }

    @Test(arguments: [0, 1]) func firstCompleteResponseIsRelayed(_ winner: Int) throws {
        let routing = routing()
        let exchange = routing.chat(stream: false)
        routing.clock.advance(by: .milliseconds(800))
        let calls = try routing.upstreams.map { try #require($0.calls.first) }
        for call in calls { call.respond(type: "application/json") }
        calls[winner].body.send(Self.answer)
        calls[winner].body.finish()
        #expect(exchange.status == 200)
        #expect(exchange.fields[.xHeadgateUpstream] == RoutedGateway.names[winner])
        #expect(exchange.client.text == Self.answer)
        #expect(calls[1 - winner].body.calls.last == "cancel")
        exchange.complete()
        #expect(routing.log.all.first?.contains(#""hedge":"\#(winner == 1 ? "won" : "lost")""#) == true)
    }

    @Test func streamBrokenAfterTheRaceIsReported() throws {
        let routing = routing()
        let exchange = routing.chat()
        routing.clock.advance(by: .milliseconds(800))
        stream(routing.upstreams[1].calls.first, "B")
        routing.upstreams[1].calls[0].body.fail(.truncatedBody)
        exchange.complete()
        #expect(exchange.client.text.contains("upstream_incomplete"))
        let line = try #require(routing.log.all.first)
        #expect(line.contains(#""outcome":"upstream_failed""#), "\(line)")
        #expect(line.contains(#""error":"upstream_incomplete""#), "\(line)")
    }

    // MARK: Failures

    @Test(arguments: [0, 1]) func failureOfOneLeavesTheOther(_ failing: Int) throws {
        let routing = routing()
        let exchange = routing.chat()
        routing.clock.advance(by: .milliseconds(800))
        let calls = try routing.upstreams.map { try #require($0.calls.first) }
        calls[failing].fail(.closedBeforeResponse)
        #expect(exchange.response == nil)
        stream(calls[1 - failing], "A")
        #expect(exchange.client.text == Plan.content("A"))
        #expect(exchange.fields[.xHeadgateUpstream] == RoutedGateway.names[1 - failing])
        exchange.complete()
        #expect(routing.log.all.first?.contains(#""hedge":"\#(failing == 0 ? "won" : "lost")""#) == true)
    }

    @Test func failureOfBothContinuesThePlan() throws {
        let routing = routing(3) { model, _ in model.retry.attempts = 3 }
        let exchange = routing.chat()
        routing.clock.advance(by: .milliseconds(800))
        routing.upstreams[0].calls[0].fail(.closedBeforeResponse)
        routing.upstreams[1].calls[0].fail(.closedBeforeResponse)
        stream(routing.upstreams[2].calls.first, "C")
        #expect(exchange.client.text == Plan.content("C"))
        #expect(exchange.fields[.xHeadgateAttempts] == "3")
        exchange.complete()
        #expect(routing.log.all.first?.contains(#""hedge":"failed""#) == true)
    }

    @Test func failureOfBothIsReportedIfNoTargetIsLeft() {
        let routing = routing()
        let exchange = routing.chat()
        routing.clock.advance(by: .milliseconds(800))
        routing.upstreams[1].calls[0].respond(500, type: "application/json")
        routing.upstreams[1].calls[0].body.finish()
        #expect(exchange.response == nil)
        routing.upstreams[0].calls[0].fail(.closedBeforeResponse)
        #expect(exchange.status == 502)
        exchange.complete()
        #expect(routing.log.all.first?.contains(#""hedge":"failed""#) == true)
        #expect(routing.log.all.first?.contains(#""upstream":"a""#) == true)
    }

    @Test func earlyFailureFallsBackAsUsual() {
        let routing = routing()
        let exchange = routing.chat()
        routing.clock.advance(by: .milliseconds(500))
        routing.upstreams[0].calls[0].fail(.connect)
        routing.clock.advance(by: .seconds(5))
        #expect(routing.upstreams.map(\.calls.count) == [1, 1])
        stream(routing.upstreams[1].calls[0], "B")
        exchange.complete()
        #expect(exchange.client.text == Plan.content("B"))
        #expect(routing.log.all.first?.contains(#""hedge""#) == false)
    }

    // MARK: Disconnects and deadlines

    @Test func disconnectCancelsBoth() throws {
        let routing = routing()
        let exchange = routing.chat()
        let first = routing.upstreams[0].calls[0]
        first.respond()
        first.body.send(Plan.role)
        routing.clock.advance(by: .milliseconds(800))
        let second = routing.upstreams[1].calls[0]
        exchange.leave()
        #expect(first.body.calls.last == "cancel")
        #expect(second.isCancelled)
        for index in 0...1 {
            #expect(try health(routing, index).requestsInFlight == 0)
            #expect(try health(routing, index).state(at: routing.clock.now) == .closed)
        }
        let activities = try #require(routing.snapshot.relay.models.route(of: "m")).targets.map(\.upstream.activity)
        #expect(activities.map(\.requestsInFlight) == [0, 0])
        #expect(activities.map(\.streamsInFlight) == [0, 0])
        #expect(routing.log.all.first?.contains(#""outcome":"client_gone""#) == true)
    }

    @Test func earlyDisconnectStartsNoSecondAttempt() {
        let routing = routing()
        routing.chat().leave()
        routing.clock.advance(by: .seconds(5))
        #expect(routing.upstreams[1].calls.isEmpty)
    }

    @Test func totalDeadlineEndsBoth() {
        let routing = routing { model, _ in model.total = .seconds(2) }
        let exchange = routing.chat()
        routing.clock.advance(by: .seconds(2))
        #expect(exchange.status == 504)
        #expect(routing.upstreams.map { $0.calls[0].isCancelled } == [true, true])
    }

    // MARK: Target health

    @Test func loserCountsAsNeitherFailureNorSuccess() throws {
        let routing = routing { model, _ in
            for index in model.targets.indices {
                model.targets[index].breaker = BreakerConfiguration(failures: 2, cooldown: .seconds(10))
            }
        }
        // One failure is noted; a second one would open the breaker.
        let failing = routing.chat()
        routing.upstreams[0].calls[0].fail(.connect)
        failing.leave()
        let exchange = routing.chat()
        routing.clock.advance(by: .milliseconds(800))
        #expect(try health(routing, 0).requestsInFlight == 1)
        stream(routing.upstreams[1].calls.last, "B")
        #expect(try health(routing, 0).requestsInFlight == 0)
        #expect(try health(routing, 1).requestsInFlight == 1)
        #expect(try health(routing, 0).state(at: routing.clock.now) == .closed)
        #expect(try health(routing, 0).averageTimeToFirstContent(at: routing.clock.now) == nil)
        exchange.complete()
        #expect(try health(routing, 1).requestsInFlight == 0)
        #expect(try health(routing, 1).averageTimeToFirstContent(at: routing.clock.now) == nil)
        // The earlier failure still counts: the loser was not a success either.
        let last = routing.chat()
        routing.upstreams[0].calls.last?.fail(.connect)
        last.leave()
        guard case .open = try health(routing, 0).state(at: routing.clock.now) else {
            Issue.record("the breaker is closed")
            return
        }
    }

    @Test func losingProbeMakesWayForTheNext() throws {
        let routing = routing { model, _ in
            model.targets[0].breaker = BreakerConfiguration(failures: 1, cooldown: .seconds(10))
        }
        let failing = routing.chat()
        routing.upstreams[0].calls[0].fail(.connect)
        failing.leave()
        routing.clock.advance(by: .seconds(10))
        let probe = routing.chat()
        routing.clock.advance(by: .milliseconds(800))
        stream(routing.upstreams[1].calls.last, "B")
        #expect(probe.fields[.xHeadgateUpstream] == "b")
        #expect(try health(routing, 0).state(at: routing.clock.now) == .halfOpen)
    }

    @Test func restingOrFullTargetIsNotTried() {
        let resting = routing { model, _ in
            model.targets[1].breaker = BreakerConfiguration(failures: 1, cooldown: .seconds(60))
        }
        let failing = resting.chat()
        resting.upstreams[0].calls[0].fail(.connect)
        resting.upstreams[1].calls[0].fail(.connect)
        failing.leave()
        _ = resting.chat()
        resting.clock.advance(by: .seconds(5))
        #expect(resting.upstreams[1].calls.count == 1)

        let full = routing { _, upstream in if upstream.name == "b" { upstream.maximumInFlight = 1 } }
        _ = full.chat()
        full.clock.advance(by: .milliseconds(800))
        _ = full.chat()
        full.clock.advance(by: .milliseconds(800))
        #expect(full.upstreams.map(\.calls.count) == [2, 1])
    }

    @Test func secondAttemptIsNotAProbe() {
        let routing = routing { model, _ in
            model.targets[1].breaker = BreakerConfiguration(failures: 1, cooldown: .seconds(10))
        }
        let failing = routing.chat()
        routing.upstreams[0].calls[0].fail(.connect)
        routing.upstreams[1].calls[0].fail(.connect)
        failing.leave()
        routing.clock.advance(by: .seconds(10))
        _ = routing.chat()
        routing.clock.advance(by: .seconds(5))
        #expect(routing.upstreams[1].calls.count == 1)
    }

    @Test func retryBudgetBoundsHedging() {
        let routing = routing()
        for _ in 0..<5 { _ = routing.chat() }
        routing.clock.advance(by: .milliseconds(800))
        #expect(routing.upstreams.map(\.calls.count) == [5, RetryBudget.least])
    }

    // MARK: Requests that are sent once

    @Test(arguments: [
        #","store":true"#, #","background":true"#, #","tools":[{"type":"mcp","server_url":"https://example.com"}]"#,
        #","mcp_servers":[{"url":"https://example.com"}]"#,
    ])
    func requestWithSideEffectsIsSentOnce(_ extra: String) {
        let routing = routing()
        _ = routing.chat(extra: extra)
        routing.clock.advance(by: .seconds(5))
        #expect(routing.upstreams.map(\.calls.count) == [1, 0])
    }

    @Test(arguments: [
        #","store":false"#, #","store":null"#, #","tools":[{"type":"function","function":{"name":"f"}}]"#,
        #","background":false"#,
    ])
    func requestWithoutSideEffectsIsHedged(_ extra: String) {
        let routing = routing()
        _ = routing.chat(extra: extra)
        routing.clock.advance(by: .seconds(5))
        #expect(routing.upstreams.map(\.calls.count) == [1, 1])
    }

    @Test func storeParameterCountsAsASideEffect() throws {
        let rules = ParameterRules(overrides: [.init(name: "store", json: Array("true".utf8))])
        let routing = routing { model, _ in model.targets[1].parameters = rules }
        _ = routing.chat()
        routing.clock.advance(by: .seconds(5))
        #expect(routing.upstreams.map(\.calls.count) == [1, 0])
    }

    // MARK: The percentile

    @Test func percentileIsLearntAndSlowRequestsAreHedged() {
        let routing = routing(after: .p95)
        for _ in 0..<RecentTimes.least {
            let exchange = routing.chat()
            routing.clock.advance(by: .milliseconds(100))
            stream(routing.upstreams[0].calls.last, "A")
            exchange.hangUp()
        }
        #expect(routing.upstreams[1].calls.isEmpty)
        let slow = routing.chat()
        routing.clock.advance(by: .milliseconds(99))
        #expect(routing.upstreams[1].calls.isEmpty)
        routing.clock.advance(by: .milliseconds(1))
        #expect(routing.upstreams[1].calls.count == 1)
        slow.leave()
        // Whole responses are measured separately.
        _ = routing.chat(stream: false)
        routing.clock.advance(by: .seconds(10))
        #expect(routing.upstreams[1].calls.count == 1)
    }

    @Test func p95DelayHedgesOneRequestInTwenty() {
        let routing = routing(after: .p95)
        for round in 0..<RecentTimes.least {
            let exchange = routing.chat()
            routing.clock.advance(by: .milliseconds(round < RecentTimes.least - 2 ? 100 : 700))
            stream(routing.upstreams[0].calls.last, "A")
            exchange.hangUp()
        }
        _ = routing.chat()
        routing.clock.advance(by: .milliseconds(699))
        #expect(routing.upstreams[1].calls.isEmpty)
        routing.clock.advance(by: .milliseconds(1))
        #expect(routing.upstreams[1].calls.count == 1)
    }

    @Test func withoutEnoughSamplesNothingIsHedged() {
        let routing = routing(after: .p95)
        for _ in 0..<RecentTimes.least - 1 {
            let exchange = routing.chat()
            routing.clock.advance(by: .milliseconds(100))
            stream(routing.upstreams[0].calls.last, "A")
            exchange.hangUp()
        }
        _ = routing.chat()
        routing.clock.advance(by: .seconds(14))
        #expect(routing.upstreams[1].calls.isEmpty)
    }

    /// Otherwise slow attempts would never be measured, and the percentile would fall.
    @Test func losingFirstAttemptCountsWithItsTime() {
        let routing = routing(after: .p95) { model, _ in model.retry.budgetPercent = 100 }
        for round in 0..<2 * RecentTimes.count {
            let exchange = routing.chat()
            routing.clock.advance(by: .milliseconds(100))
            if round < RecentTimes.least {
                stream(routing.upstreams[0].calls.last, "A")
            } else {
                // The second attempt begins now, and takes another 100 ms.
                routing.clock.advance(by: .milliseconds(100))
                stream(routing.upstreams[1].calls.last, "B")
            }
            exchange.hangUp()
        }
        let hedged = routing.upstreams[1].calls.count
        _ = routing.chat()
        routing.clock.advance(by: .milliseconds(199))
        #expect(routing.upstreams[1].calls.count == hedged)
        routing.clock.advance(by: .milliseconds(1))
        #expect(routing.upstreams[1].calls.count == hedged + 1)
    }
}
