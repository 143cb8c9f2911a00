import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Deadlines for the first content of a stream, and for a request with all its attempts.
@Suite struct ContentDeadlineTests {
    typealias Plan = PlannedTransport.Plan

    private let timeouts: UpstreamTimeouts = {
        var timeouts = UpstreamTimeouts()
        timeouts.firstContent = .seconds(10)
        return timeouts
    }()

    @Test(arguments: ["", Plan.role, ": comment\n\n", "data: {\"cho"])
    func streamWithoutContentFallsBack(_ early: String) {
        let routing = ManualRouting(targets: 2, timeouts: timeouts)
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(early)
        routing.clock.advance(by: .seconds(9))
        #expect(routing.upstreams[1].calls.isEmpty)
        routing.clock.advance(by: .seconds(1))
        #expect(call.body.calls.last == "cancel")
        routing.upstreams[1].calls[0].respond()
        routing.upstreams[1].calls[0].body.send(Plan.content("B"))
        #expect(exchange.client.text == Plan.content("B"))
    }

    @Test func missingHeadCountsToo() {
        let routing = ManualRouting(targets: 1, timeouts: timeouts)
        let exchange = routing.chat()
        routing.clock.advance(by: .seconds(10))
        #expect(routing.upstreams[0].calls[0].isCancelled)
        #expect(exchange.status == 504)
        #expect(exchange.client.text.contains(#""code":"upstream_timeout""#))
        exchange.complete()
        #expect(exchange.metadata.record.facts.end == .timedOut)
    }

    @Test func startedStreamEndsWithAnErrorEvent() {
        let routing = ManualRouting(targets: 1, timeouts: timeouts)
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.role)
        routing.clock.advance(by: .seconds(10))
        #expect(exchange.client.text.hasPrefix(Plan.role + "data: {\"error\":{"))
        #expect(exchange.client.ends == ["completeThenClose"])
        #expect(call.body.calls.last == "cancel")
    }

    @Test func contentEndsTheDeadline() {
        let routing = ManualRouting(targets: 1, timeouts: timeouts)
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.content("A"))
        routing.clock.advance(by: .seconds(60))
        call.body.send(Plan.finish + Plan.done)
        #expect(exchange.client.ends == ["complete"])
    }

    @Test func wholeAnswersHaveNoDeadlineForContent() {
        let routing = ManualRouting(targets: 1, timeouts: timeouts)
        let exchange = routing.chat(stream: false)
        routing.clock.advance(by: .seconds(60))
        routing.upstreams[0].calls[0].respond(type: "application/json")
        routing.upstreams[0].calls[0].body.send("{}")
        routing.upstreams[0].calls[0].body.finish()
        #expect(exchange.client.text == "{}")
    }

    @Test(arguments: [nil, Duration.seconds(30)])
    func wholeResponseOfTheOnlyTargetCanBeginLate(total: Duration?) {
        let routing = ManualRouting(targets: 2) { model, _ in model.total = total }
        _ = routing.chat(stream: false)
        let first = routing.upstreams[0].calls[0]
        #expect(first.request.patience == 0)
        first.fail(.responseTimeout)
        let patience: UInt64 = total == nil ? 600_000_000_000 : 30_000_000_000
        #expect(routing.upstreams[1].calls[0].request.patience == patience)
        let single = ManualRouting(targets: 1) { model, _ in model.total = total }
        _ = single.chat(stream: false)
        #expect(single.upstreams[0].calls[0].request.patience == patience)
    }

    @Test func streamsBeginInTime() {
        let routing = ManualRouting(targets: 1)
        _ = routing.chat()
        #expect(routing.upstreams[0].calls[0].request.patience == 0)
    }

    private func limited(targets: Int) -> ManualRouting {
        ManualRouting(targets: targets) { model, _ in model.total = .seconds(30) }
    }

    @Test func totalEndsAStreamWithAnErrorEvent() {
        let routing = limited(targets: 1)
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.content("A"))
        routing.clock.advance(by: .seconds(29))
        call.body.send(Plan.content("B"))
        routing.clock.advance(by: .seconds(1))
        #expect(exchange.client.text.hasPrefix(Plan.content("A") + Plan.content("B") + "data: {\"error\":{"))
        #expect(exchange.client.text.contains(#""code":"request_timeout""#))
        #expect(!exchange.client.text.contains("[DONE]"))
        exchange.complete()
        #expect(exchange.metadata.record.facts.end == .timedOut)
    }

    @Test func totalCoversAllAttempts() {
        let routing = limited(targets: 2)
        let exchange = routing.chat(stream: false)
        routing.clock.advance(by: .seconds(20))
        routing.upstreams[0].calls[0].fail(.connect)
        routing.clock.advance(by: .seconds(10))
        #expect(routing.upstreams[1].calls[0].isCancelled)
        #expect(exchange.status == 504)
        #expect(exchange.client.text.contains(#""code":"request_timeout""#))
    }

    @Test func totalEndsTheWaitBeforeAnotherAttempt() {
        let routing = ManualRouting(targets: 1) { model, _ in
            model.total = .seconds(1)
            model.retry.attempts = 2
            model.retry.backoff = .seconds(60)
            model.retry.maximumBackoff = .seconds(60)
        }
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond(503, type: "application/json", fields: [.retryAfter: "50"])
        call.body.finish()
        #expect(exchange.response == nil)
        routing.clock.advance(by: .seconds(1))
        #expect(exchange.status == 504)
        #expect(routing.upstreams[0].calls.count == 1)
    }

    @Test func streamThatEndsInTimeIsUnaffected() {
        let routing = limited(targets: 1)
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.content("A") + Plan.finish + Plan.done)
        routing.clock.advance(by: .seconds(60))
        #expect(exchange.client.text == Plan.content("A") + Plan.finish + Plan.done)
        #expect(exchange.client.ends == ["complete"])
    }
}
