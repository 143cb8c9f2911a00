import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Times of attempts: which are open concurrently, and which end first.
@Suite struct TracedAttemptTests {
    typealias Plan = PlannedTransport.Plan

    private let spans = CollectedSpans()

    private func routing(
        targets: Int = 2, change: (inout ModelConfiguration, inout UpstreamConfiguration) -> Void = { _, _ in }
    ) throws -> ManualRouting {
        ManualRouting(targets: targets, tracing: try spans.tracing(), change: change)
    }

    @Test func hedgedAttemptsAreMarkedAsWonAndLost() throws {
        let routing = try routing { model, _ in model.hedge = HedgeConfiguration(after: .time(.milliseconds(800))) }
        let exchange = routing.chat()
        routing.upstreams[0].calls[0].respond()
        routing.clock.advance(by: .milliseconds(800))
        let second = try #require(routing.upstreams[1].calls.first)
        second.respond()
        second.body.send(Plan.content("B") + Plan.finish + Plan.done)
        #expect(spans.all.isEmpty && spans.open == 1)
        exchange.complete()
        let (server, attempts) = (try #require(spans.server), spans.attempts)
        try #require(attempts.count == 2)
        #expect(attempts.map { $0.text("headgate.upstream") } == ["a", "b"])
        #expect(attempts.map(\.error) == ["hedge_lost", nil])
        #expect(attempts[0].value("gen_ai.response.finish_reasons") == nil)
        #expect(attempts[1].value("gen_ai.response.finish_reasons") == .texts(["stop"]))
        #expect(attempts[1].start - attempts[0].start == 800_000_000)
        #expect(server.events.map(\.name) == ["hedge", "first_content"] && server.text("headgate.hedge") == "won")
        #expect(spans.open == 0)
    }

    @Test(arguments: [false, true]) func clientDisconnectIsNotAGatewayError(_ isOutcomeFirst: Bool) throws {
        let routing = try routing(targets: 1)
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.content("A"))
        if isOutcomeFirst {
            exchange.complete(.clientGone)
            #expect(spans.all.count == 1)
        }
        exchange.hangUp()
        let (server, attempt) = (try #require(spans.server), try #require(spans.attempts.first))
        #expect(spans.all.count == 2 && attempt.error == "client_gone" && server.error == nil)
        #expect(server.text("error.type") == "client_gone" && attempt.parent == server.context.spanID)
        #expect(attempt.events.map(\.name) == ["first_content"])
    }

    @Test func disconnectBeforeTheResponseEndsTheAttempt() throws {
        let routing = try routing(targets: 1)
        let exchange = routing.chat()
        exchange.leave()
        #expect(spans.all.count == 2 && spans.attempts.map(\.error) == ["client_gone"])
        #expect(spans.attempts.first?.value("http.response.status_code") == nil)
    }

    @Test func drainedResponseIsReportedOnce() throws {
        let routing = try routing(targets: 1) { model, _ in model.onDisconnect = .drain }
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.content("A"))
        exchange.hangUp()
        #expect(spans.all.isEmpty)
        call.body.send(Plan.finish + Plan.done)
        let (server, attempt) = (try #require(spans.server), try #require(spans.attempts.first))
        #expect(spans.all.count == 2 && server.text("headgate.after_leaving") == "drained")
        #expect(attempt.error == nil && attempt.value("gen_ai.response.finish_reasons") == .texts(["stop"]))
    }

    @Test func truncatedResponseHasItsReason() throws {
        let routing = try routing(targets: 1)
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.content("A"))
        call.body.fail(.truncatedBody)
        exchange.complete()
        let attempt = try #require(spans.attempts.first)
        #expect(attempt.error == spans.server?.error && attempt.error != nil && attempt.error != "cancelled")
    }
}
