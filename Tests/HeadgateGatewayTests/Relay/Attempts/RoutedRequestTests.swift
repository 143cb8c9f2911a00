import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct RoutedRequestTests {
    typealias Plan = PlannedTransport.Plan

    private static let error = #"{"error":{"message":"no","type":"server_error"}}"#

    private func keys(_ transport: PlannedTransport) -> [String] {
        transport.requests.map { String(($0.head.headerFields[.authorization] ?? "").suffix(12)) }
    }

    // MARK: Keys

    @Test func keysAreUsedInTurn() async {
        let gateway = RoutedGateway([[.answer("A")]], keys: 2)
        for _ in 0..<4 { #expect(await gateway.chat(stream: false).status == 200) }
        #expect(keys(gateway.transports[0]) == ["0-0123456789", "1-0123456789", "0-0123456789", "1-0123456789"])
    }

    @Test(arguments: [401, 403, 429]) func refusedKeyRestsAndAnotherIsTried(_ status: Int) async {
        let gateway = RoutedGateway([[.json(Self.error, status: status), .answer("A")]], keys: 2)
        let answer = await gateway.chat(stream: false)
        #expect(answer.status == 200)
        #expect(answer.headerFields[.xHeadgateAttempts] == "2")
        for _ in 0..<3 { _ = await gateway.chat(stream: false) }
        #expect(keys(gateway.transports[0]) == ["0-0123456789"] + Array(repeating: "1-0123456789", count: 4))
        #expect(gateway.running.log.all[0].contains(#""key_number":1,"error":""#), "\(gateway.running.log.all[0])")
    }

    @Test func upstreamWithOnlyRestingKeysIsTriedIfThereIsNoOther() async {
        let gateway = RoutedGateway([[.json(Self.error, status: 429)]], keys: 2)
        #expect(await gateway.chat(stream: false).status == 429)
        #expect(await gateway.chat(stream: false).status == 429)
        #expect(
            keys(gateway.transports[0]) == ["0-0123456789", "1-0123456789", "0-0123456789", "1-0123456789"])
    }

    @Test func keyRestsForTheUpstreamsRetryAfter() async {
        let routing = ManualRouting(targets: 2)
        let first = routing.chat(stream: false)
        routing.upstreams[0].calls[0].respond(429, type: "application/json", fields: [.retryAfter: "7"])
        routing.upstreams[0].calls[0].body.finish()
        #expect(routing.upstreams[1].calls.count == 1)
        first.leave()
        routing.clock.advance(by: .milliseconds(6_999))
        routing.chat().leave()
        #expect(routing.upstreams.map(\.calls.count) == [1, 2])
        routing.clock.advance(by: .milliseconds(1))
        routing.chat().leave()
        #expect(routing.upstreams.map(\.calls.count) == [2, 2])
    }

    // MARK: Breaker

    @Test func failingTargetIsSkippedUntilAProbeSucceeds() {
        let routing = ManualRouting(targets: 2) { model, _ in
            for index in model.targets.indices {
                model.targets[index].breaker = BreakerConfiguration(failures: 2, cooldown: .seconds(10))
            }
        }
        for _ in 0..<2 {
            let exchange = routing.chat()
            routing.upstreams[0].calls.last?.fail(.connect)
            exchange.leave()
        }
        routing.chat().leave()
        #expect(routing.upstreams.map(\.calls.count) == [2, 3])
        routing.clock.advance(by: .seconds(10))
        // The first request is the probe, and others meanwhile go to the next target.
        let probe = routing.chat()
        routing.chat().leave()
        #expect(routing.upstreams.map(\.calls.count) == [3, 4])
        routing.upstreams[0].calls[2].respond()
        routing.upstreams[0].calls[2].body.send(Plan.content("A"))
        #expect(probe.client.text == Plan.content("A"))
        routing.chat().leave()
        #expect(routing.upstreams.map(\.calls.count) == [4, 4])
    }

    @Test func withoutAnAvailableTargetTheResponseHasARetryTime() {
        let routing = ManualRouting(targets: 1) { model, _ in
            model.targets[0].breaker = BreakerConfiguration(failures: 1, cooldown: .seconds(10))
        }
        let first = routing.chat()
        routing.upstreams[0].calls[0].fail(.connect)
        #expect(first.status == 502)
        routing.clock.advance(by: .seconds(4))
        let second = routing.chat()
        #expect(second.status == 503)
        #expect(second.fields[.retryAfter] == "6")
        #expect(second.client.text.contains("no_target_available"))
        #expect(routing.upstreams[0].calls.count == 1)
    }

    @Test func streamTruncatedAfterContentCountsAsAFailure() {
        let routing = ManualRouting(targets: 2) { model, _ in
            model.targets[0].breaker = BreakerConfiguration(failures: 1, cooldown: .seconds(10))
        }
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.content("A"))
        call.body.fail(.truncatedBody)
        exchange.complete()
        routing.chat().leave()
        #expect(routing.upstreams.map(\.calls.count) == [1, 1])
    }

    @Test func singleTargetWithoutABreakerIsAlwaysTried() async {
        let gateway = RoutedGateway([[.failing(.connect)]])
        for _ in 0..<20 { #expect(await gateway.chat().status == 502) }
        #expect(gateway.sent == [20])
    }

    // MARK: Limits

    @Test func requestsAboveTheLimitWaitForASlot() {
        let routing = ManualRouting(targets: 1) { _, upstream in
            upstream.maximumInFlight = 1
            upstream.queueTimeout = .seconds(5)
        }
        let first = routing.chat()
        let second = routing.chat()
        #expect(routing.upstreams[0].calls.count == 1)
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.content("A") + Plan.finish + Plan.done)
        #expect(routing.upstreams[0].calls.count == 1)
        first.complete()
        #expect(routing.upstreams[0].calls.count == 2)
        second.leave()
        let third = routing.chat()
        #expect(routing.upstreams[0].calls.count == 3)
        let fourth = routing.chat()
        routing.clock.advance(by: .seconds(5))
        #expect(fourth.status == 503)
        #expect(fourth.client.text.contains("no_target_available"))
        third.leave()
    }

    @Test func slotTimeoutFallsBackToTheNextTarget() {
        let routing = ManualRouting(targets: 2) { _, upstream in
            if upstream.name == "a" { (upstream.maximumInFlight, upstream.queueTimeout) = (1, .seconds(5)) }
        }
        let first = routing.chat()
        let second = routing.chat()
        routing.clock.advance(by: .seconds(5))
        #expect(routing.upstreams.map(\.calls.count) == [1, 1])
        first.leave()
        second.leave()
    }

    // MARK: Offline

    @Test func localTargetTakesOverWhenNothingElseCanBeReached() {
        let routing = ManualRouting(targets: 3) { _, upstream in upstream.isLocal = upstream.name == "c" }
        let first = routing.chat(stream: false)
        routing.upstreams[0].calls[0].fail(.unreachable)
        routing.upstreams[1].calls[0].fail(.unreachable)
        let local = routing.upstreams[2].calls[0]
        local.respond(type: "application/json")
        local.body.send("{}")
        local.body.finish()
        #expect(first.status == 200)
        #expect(first.fields[.xHeadgateDegraded] == "offline")
        #expect(first.fields[.xHeadgateAttempts] == nil)
        // While the upstream is known to be unreachable, no request tries it.
        routing.chat().leave()
        #expect(routing.upstreams.map(\.calls.count) == [1, 1, 2])
        routing.clock.advance(by: .seconds(6))
        let later = routing.chat(stream: false)
        #expect(routing.upstreams.map(\.calls.count) == [2, 1, 2])
        let remote = routing.upstreams[0].calls[1]
        remote.respond(type: "application/json")
        remote.body.send("{}")
        remote.body.finish()
        #expect(later.fields[.xHeadgateDegraded] == nil)
    }

    @Test func localTargetAfterAnotherFailureIsNotOffline() async {
        let gateway = RoutedGateway([[.failing(.connect)], [.answer("B")]]) { _, upstreams in
            upstreams[1].isLocal = true
        }
        let answer = await gateway.chat(stream: false)
        #expect(answer.status == 200)
        #expect(answer.headerFields[.xHeadgateDegraded] == nil)
    }

    // MARK: Stored responses

    @Test(arguments: [0, 1]) func continuedResponseGoesToTheUpstreamThatHasIt(_ home: Int) async {
        let plans = ["a", "b"].map { [Plan.json(#"{"id":"resp_\#($0)","status":"completed","output":[]}"#)] }
        let gateway = RoutedGateway(plans) { model, _ in model.choice = .weighted }
        func respond(_ extra: String) async -> InProcessGateway.Response {
            await gateway.running.ask(.post, "/v1/responses", body: #"{"model":"m","input":"hi"\#(extra)}"#)
        }
        let name = RoutedGateway.names[home]
        while await respond("").headerFields[.xHeadgateUpstream] != name {}
        let before = gateway.sent
        for _ in 0..<20 {
            let answer = await respond(#","previous_response_id":"resp_\#(name)""#)
            #expect(answer.status == 200)
        }
        #expect(gateway.sent[home] == before[home] + 20)
    }

    // MARK: Reports

    @Test func lastErrorOfTheBestKindIsReportedAsFinal() async {
        let gateway = RoutedGateway([
            [.json(Self.error, status: 429, headerFields: [.retryAfter: "9"])], [.failing(.connect)],
        ])
        let answer = await gateway.chat()
        #expect(answer.status == 429)
        #expect(answer.headerFields[.retryAfter] == "9")
        #expect(answer.headerFields[.xShouldRetry] == "false")
    }

    @Test func emptyBudgetEndsTheTries() async {
        let closing = PlannedTransport.Plan.failing(.closedBeforeResponse)
        let gateway = RoutedGateway([[closing], [closing]]) { model, _ in
            for index in model.targets.indices {
                model.targets[index].breaker = BreakerConfiguration(failures: 1000, cooldown: .seconds(1))
            }
        }
        for _ in 0..<9 { _ = await gateway.chat() }
        #expect(gateway.sent == [9, 3])
    }

    @Test func fieldsOfTheGatewayCanBeTurnedOff() async {
        let transport = PlannedTransport(.answer("A"))
        let definition = UpstreamDefinition(
            name: "a", baseURL: BaseURL(endpoint: .tls(host: "a.example", port: 443), pathPrefix: "/v1"),
            credential: nil, transport: transport)
        for hasFields in [true, false] {
            let snapshot = GatewaySnapshot(
                Configuration(
                    upstreams: [], models: [ModelConfiguration(name: "m", upstream: "a")],
                    hasResponseFields: hasFields),
                upstreams: [definition])
            let upstream = snapshot.relay.models.route(of: "m")?.single?.upstream
            #expect(upstream?.heads.document.response.headerFields[.xHeadgateUpstream] == (hasFields ? "a" : nil))
            #expect(upstream?.heads.stream.response.headerFields[.xHeadgateUpstream] == (hasFields ? "a" : nil))
        }
    }

    // MARK: Disconnects

    @Test func disconnectDuringAnAttemptCancelsItForGood() {
        let routing = ManualRouting(targets: 2)
        let exchange = routing.chat()
        exchange.leave()
        #expect(routing.upstreams[0].calls[0].isCancelled)
        #expect(routing.upstreams[1].calls.isEmpty)
        #expect(exchange.metadata.record.facts.end == .clientGone)
    }

    @Test func disconnectDuringAWaitEndsTheRequest() {
        let routing = ManualRouting(targets: 1) { model, _ in model.retry.attempts = 3 }
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond(503, type: "application/json", fields: [.retryAfter: "2"])
        call.body.finish()
        exchange.leave()
        routing.clock.advance(by: .seconds(10))
        #expect(routing.upstreams[0].calls.count == 1)
    }

    @Test func shutdownEndsTheWaitForARetryAtOnce() {
        let routing = ManualRouting(targets: 1) { model, _ in model.retry.attempts = 3 }
        let waiting = routing.chat(stream: false)
        func refuse(_ call: Int) {
            routing.upstreams[0].calls[call].respond(503, type: "application/json", fields: [.retryAfter: "2"])
            routing.upstreams[0].calls[call].body.finish()
        }
        refuse(0)
        let later = routing.chat(stream: false)
        #expect(waiting.response == nil)
        routing.state.targets.stopWaiting()
        #expect(waiting.status == 503)
        refuse(1)
        #expect(later.status == 503)
        routing.clock.advance(by: .seconds(10))
        #expect(routing.upstreams[0].calls.count == 2)
    }

    @Test func attemptsInFlightAreCountedUntilTheirEnd() throws {
        let routing = ManualRouting(targets: 2)
        let route = try #require(routing.snapshot.relay.models.route(of: "m"))
        func inFlight() -> [Int] { route.targets.map(\.limits.health.requestsInFlight) }
        let (first, second, third) = (routing.chat(), routing.chat(), routing.chat())
        #expect(inFlight() == [3, 0])
        routing.upstreams[0].calls[0].fail(.connect)
        #expect(inFlight() == [2, 1])
        second.leave()
        let call = routing.upstreams[0].calls[2]
        call.respond()
        call.body.send(Plan.content("A") + Plan.finish + Plan.done)
        #expect(inFlight() == [1, 1])
        third.complete()
        first.leave()
        #expect(inFlight() == [0, 0])
    }
}
