import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Responses that are drained for their usage; the test controls both ends and the clock.
@Suite struct DrainTests {
    typealias Plan = PlannedTransport.Plan

    private static let usage =
        "data: {\"id\":\"c\",\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":9}}\n\n"
    private static let rest = Plan.content("B") + Plan.finish + usage + Plan.done

    private func routing(_ onDisconnect: OnDisconnect = .drain) -> ManualRouting {
        ManualRouting(targets: 1) { model, _ in model.onDisconnect = onDisconnect }
    }

    /// Starts a stream and delivers its first words.
    private func begun(_ routing: ManualRouting) -> (RoutedExchange, ManualTransport.Call) {
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.role + Plan.content("A"))
        return (exchange, call)
    }

    /// Disconnects the client as a connection does: first the outcome, then the cancellation.
    private func leave(_ exchange: RoutedExchange) {
        exchange.complete(.clientGone)
        exchange.hangUp()
    }

    @Test func responseIsDrainedForItsUsage() throws {
        let routing = routing()
        let (exchange, call) = begun(routing)
        leave(exchange)
        #expect(routing.log.all.isEmpty && !call.body.calls.contains("cancel"))
        #expect(routing.snapshot.relay.upstreams[0].activity.requestsInFlight == 1)
        call.body.send(Self.rest)
        call.body.finish()
        let line = try #require(routing.log.all.first)
        #expect(routing.log.all.count == 1 && routing.snapshot.relay.upstreams[0].activity.requestsInFlight == 0)
        #expect(line.contains(#""outcome":"client_gone""#) && line.contains(#""after_leaving":"drained""#), "\(line)")
        #expect(line.contains(#""prompt_tokens":7,"completion_tokens":9"#), "\(line)")
        #expect(exchange.client.text == Plan.role + Plan.content("A"))
    }

    @Test func truncationDuringADrainCountsForTheBreaker() throws {
        let routing = ManualRouting(targets: 2) { model, _ in
            model.onDisconnect = .drain
            model.targets[0].breaker = BreakerConfiguration(failures: 1, cooldown: .seconds(3600))
        }
        let (exchange, call) = begun(routing)
        leave(exchange)
        call.body.fail(.truncatedBody)
        let line = try #require(routing.log.all.first)
        #expect(line.contains(#""outcome":"client_gone""#) && line.contains(#""after_leaving":"broken""#), "\(line)")
        _ = routing.chat()
        #expect(routing.upstreams[0].calls.count == 1 && routing.upstreams[1].calls.count == 1)
    }

    @Test func withoutItTheUpstreamIsCancelledAtOnce() {
        let routing = routing(.cancel)
        let (exchange, call) = begun(routing)
        leave(exchange)
        #expect(routing.log.all.count == 1 && call.body.calls.contains("cancel"))
        #expect(!routing.log.all[0].contains("after_leaving"))
    }

    @Test func remainingClientHasTheUsualOutcome() {
        let routing = routing()
        let (exchange, call) = begun(routing)
        call.body.send(Self.rest)
        call.body.finish()
        #expect(exchange.client.ends == ["complete"] && routing.log.all.isEmpty)
        exchange.complete()
        #expect(routing.log.all.count == 1 && routing.log.all[0].contains(#""outcome":"finished""#))
        #expect(!routing.log.all[0].contains("after_leaving"))
    }

    @Test func clientCanLeaveBeforeTheResponse() {
        let routing = routing()
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        exchange.complete(.clientGone)
        exchange.leave()
        #expect(!call.isCancelled && routing.log.all.isEmpty)
        routing.clock.advance(by: .seconds(3))
        call.respond()
        call.body.send(Plan.role + Self.rest)
        call.body.finish()
        #expect(routing.log.all.count == 1 && routing.log.all[0].contains(#""completion_tokens":9"#))
        #expect(routing.log.all[0].contains(#""after_leaving":"drained""#))
        // The client's disconnect is not an error, and the line is written at the end of the response.
        #expect(routing.log.all[0].contains(#""duration_ms":3000.0,"#), "\(routing.log.all)")
        for error in [#""status":5"#, #""error":"#] { #expect(!routing.log.all[0].contains(error)) }
    }

    @Test func wholeResponseIsAwaited() {
        let routing = routing()
        let exchange = routing.chat(stream: false)
        let call = routing.upstreams[0].calls[0]
        exchange.complete(.clientGone)
        exchange.leave()
        call.respond(type: "application/json")
        call.body.send(#"{"id":"c","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#)
        call.body.finish()
        #expect(routing.log.all.count == 1 && routing.log.all[0].contains(#""completion_tokens":2"#))
    }

    @Test func timeIsBounded() {
        let routing = routing()
        let (exchange, call) = begun(routing)
        leave(exchange)
        routing.clock.advance(by: .seconds(59))
        #expect(routing.log.all.isEmpty)
        routing.clock.advance(by: .seconds(1))
        #expect(call.body.calls.contains("cancel") && routing.log.all.count == 1)
        #expect(routing.log.all[0].contains(#""after_leaving":"drain_limit""#))
    }

    @Test func timeBeforeTheResponseIsBounded() {
        let routing = routing()
        let exchange = routing.chat()
        exchange.complete(.clientGone)
        exchange.leave()
        routing.clock.advance(by: .seconds(60))
        #expect(routing.upstreams[0].calls[0].isCancelled && routing.log.all.count == 1)
        #expect(routing.log.all[0].contains(#""after_leaving":"drain_limit""#))
    }

    @Test func bytesAreBounded() {
        let routing = routing()
        let (exchange, call) = begun(routing)
        leave(exchange)
        let piece = Plan.content(String(repeating: "x", count: 1000))
        for _ in 0..<2000 where routing.log.all.isEmpty { call.body.send(piece) }
        #expect(call.body.calls.contains("cancel") && routing.log.all.count == 1)
        #expect(routing.log.all[0].contains(#""after_leaving":"drain_limit""#))
    }

    @Test func responseToASlowReaderContinues() throws {
        let routing = routing()
        let (exchange, call) = begun(routing)
        let response = try #require(exchange.response)
        if case .stream(let source)? = response.body { source.pause() }
        leave(exchange)
        #expect(call.body.calls.last == "resume")
    }

    @Test func truncatedUpstreamIsReportedWithTheReceivedPart() {
        let routing = routing()
        let (exchange, call) = begun(routing)
        leave(exchange)
        call.body.fail(.truncatedBody)
        #expect(routing.log.all.count == 1 && routing.log.all[0].contains(#""outcome":"client_gone""#))
        #expect(routing.log.all[0].contains(#""after_leaving":"broken""#))
    }

    @Test func shutdownEndsIt() {
        let routing = routing()
        let (exchange, call) = begun(routing)
        leave(exchange)
        routing.state.endDisconnected()
        #expect(call.body.calls.contains("cancel") && routing.log.all.count == 1)
        routing.state.endDisconnected()
        #expect(routing.log.all.count == 1)
    }

    @Test func identicalRequestCanJoinAndContinue() {
        let routing = ManualRouting(targets: 1) { model, _ in
            model.onDisconnect = .drain
            model.cache = CacheConfiguration()
        }
        let (exchange, call) = begun(routing)
        leave(exchange)
        let second = routing.chat()
        call.body.send(Self.rest)
        call.body.finish()
        #expect(routing.upstreams[0].calls.count == 1 && second.client.ends == ["complete"])
        #expect(routing.log.all.count == 1 && routing.log.all[0].contains(#""completion_tokens":9"#))
    }
}
