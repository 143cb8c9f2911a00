import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Streams that continue without their clients; the test controls both ends and the clock.
@Suite struct DetachTests {
    typealias Plan = PlannedTransport.Plan

    private let routing = ManualRouting(targets: 1) { model, _ in model.onDisconnect = .detach }

    private static let events = [Plan.role, Plan.content("A"), Plan.content("B"), Plan.finish, Plan.done]

    /// Returns the events with these ids, each after a line with its id.
    private static func numbered(_ range: ClosedRange<Int>) -> String {
        range.map { "id: \($0)\n\(events[$0 - 1])" }.joined()
    }

    /// Starts a stream and delivers its first two events.
    private func begun() -> (RoutedExchange, ManualTransport.Call, id: String) {
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Self.events[0] + Self.events[1])
        return (exchange, call, exchange.metadata.record.requestID)
    }

    private func leave(_ exchange: RoutedExchange) {
        exchange.complete(.clientGone)
        exchange.hangUp()
    }

    private func resume(_ id: String, after event: String?, query: String = "") -> RoutedExchange {
        routing.ask(.get, "/v1/streams/\(id)\(query)", event.map { [.lastEventID: $0] } ?? [:])
    }

    private func finish(_ call: ManualTransport.Call) {
        call.body.send(Self.events[2...].joined())
        call.body.finish()
    }

    @Test func everyEventHasItsID() {
        let (exchange, call, _) = begun()
        finish(call)
        #expect(exchange.client.text == Self.numbered(1...5) && exchange.client.ends == ["complete"])
        exchange.complete()
        #expect(routing.log.all.count == 1 && !routing.log.all[0].contains("after_leaving"))
    }

    @Test func resumingClientGetsTheRest() {
        let (exchange, call, id) = begun()
        leave(exchange)
        #expect(!call.body.calls.contains("cancel") && routing.log.all.isEmpty)
        let second = resume(id, after: "1")
        #expect(second.status == 200 && second.fields[.contentType] == exchange.fields[.contentType])
        #expect(second.client.text == Self.numbered(2...2))
        finish(call)
        #expect(second.client.text == Self.numbered(2...5) && second.client.ends == ["complete"])
        #expect(routing.log.all.count == 1 && routing.log.all[0].contains(#""after_leaving":"detached""#))
        #expect(resume(id, after: "5").status == 204)
        #expect(resume(id, after: nil).client.text == Self.numbered(1...5))
        #expect(resume(id, after: nil, query: "?last_event_id=4").client.text == Self.numbered(5...5))
        #expect(resume(id, after: "4", query: "?last_event_id=1").client.text == Self.numbered(5...5))
    }

    @Test(arguments: ["x", "-1", "1.5", "6", "9999999999999999", ""])
    func resumePositionMustBeValid(_ text: String) {
        let (_, call, id) = begun()
        finish(call)
        let response = resume(id, after: text)
        #expect(response.status == 400 && response.client.text.contains(#""code":"invalid_last_event_id""#))
    }

    @Test func unknownStreamIsReportedInTheClientsDialect() {
        let unknown = routing.ask(.get, "/v1/streams/nothing", [:])
        #expect(unknown.status == 404 && unknown.client.text.contains(#""code":"stream_not_found""#))
        let anthropic = routing.ask(.delete, "/v1/streams/nothing", [.anthropicVersion: "2023-06-01"])
        #expect(anthropic.status == 404 && anthropic.client.text.contains(#""type":"not_found_error""#))
    }

    @Test func brokenStreamIsReportedToAResumingClient() {
        let (exchange, call, id) = begun()
        leave(exchange)
        call.body.fail(.truncatedBody)
        let second = resume(id, after: "2")
        #expect(second.client.text.hasPrefix("id: 3\ndata: {\"error\":") && second.client.ends == ["completeThenClose"])
        #expect(routing.log.all[0].contains(#""after_leaving":"broken""#))
    }

    @Test func deletedStreamEndsForAll() {
        let (exchange, call, id) = begun()
        let stopped = routing.ask(.delete, "/v1/streams/\(id)", [:])
        #expect(stopped.status == 200 && stopped.client.text == #"{"id":"\#(id)","object":"stream","deleted":true}"#)
        #expect(call.body.calls.contains("cancel") && exchange.client.text.contains(#""code":"stream_stopped""#))
        #expect(exchange.client.ends == ["completeThenClose"])
        #expect(resume(id, after: "1").status == 404 && routing.ask(.delete, "/v1/streams/\(id)", [:]).status == 404)
    }

    @Test func abandonedStreamExpires() {
        let (exchange, call, id) = begun()
        leave(exchange)
        routing.clock.advance(by: .seconds(599))
        #expect(!call.body.calls.contains("cancel"))
        routing.clock.advance(by: .seconds(1))
        #expect(call.body.calls.contains("cancel") && resume(id, after: "1").status == 404)
        #expect(routing.log.all.count == 1 && routing.log.all[0].contains(#""after_leaving":"stopped""#))
    }

    @Test func fullBufferEndsTheGenerationWithAnError() {
        let routing = ManualRouting(
            targets: 1, streams: StreamsConfiguration(buffer: 64 << 10)
        ) { model, _ in model.onDisconnect = .detach }
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.role)
        exchange.complete(.clientGone)
        exchange.hangUp()
        let piece = Plan.content(String(repeating: "x", count: 1000))
        for _ in 0..<100 where routing.log.all.isEmpty { call.body.send(piece) }
        #expect(call.body.calls.contains("cancel"))
        #expect(routing.log.all[0].contains(#""after_leaving":"buffer_full""#))
        let back = routing.ask(.get, "/v1/streams/\(exchange.metadata.record.requestID)", [.lastEventID: "1"])
        #expect(back.client.text.contains(#""code":"stream_buffer_full""#) && back.client.text.count <= 65 << 10)
        #expect(back.client.ends == ["completeThenClose"])
        let ids = back.client.text.split(separator: "\n").filter { $0.hasPrefix("id: ") }
        #expect(ids.count > 50 && ids == ids.indices.map { "id: \($0 + 2)" })
    }

    @Test func laggingClientGetsAnError() throws {
        let routing = ManualRouting(
            targets: 1, streams: StreamsConfiguration(buffer: 64 << 10)
        ) { model, _ in model.onDisconnect = .detach }
        let slow = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.role)
        guard case .stream(let source)? = slow.response?.body else { throw NoStream() }
        source.pause()
        let fast = routing.ask(.get, "/v1/streams/\(slow.metadata.record.requestID)", [:])
        for _ in 0..<100 { call.body.send(Plan.content(String(repeating: "x", count: 1000))) }
        source.resume()
        #expect(slow.client.text.contains(#""code":"events_dropped""#) && slow.client.ends == ["completeThenClose"])
        call.body.send(Plan.finish + Plan.done)
        call.body.finish()
        #expect(fast.client.text.contains("id: 103\n") && fast.client.ends == ["complete"])
        #expect(!call.body.calls.contains("pause"))
    }

    private struct NoStream: Error {}

    @Test func streamOfLinesIsUnaffected() {
        let exchange = routing.chat(path: "/api/chat")
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Self.events[0] + Self.events[1])
        #expect(exchange.client.text.contains(#""content":"A""#) && !exchange.client.text.contains("id: "))
        leave(exchange)
        #expect(call.body.calls.contains("cancel"))
    }

    @Test func wholeAnswerEndsWithItsClient() {
        let exchange = routing.chat(stream: false)
        exchange.complete(.clientGone)
        exchange.leave()
        #expect(routing.upstreams[0].calls[0].isCancelled && routing.log.all.count == 1)
    }

    @Test func disconnectBeforeTheStreamEndsIt() {
        let exchange = routing.chat()
        exchange.complete(.clientGone)
        exchange.leave()
        #expect(routing.upstreams[0].calls[0].isCancelled)
    }

    @Test func shutdownEndsIt() {
        let (exchange, call, _) = begun()
        leave(exchange)
        routing.state.endDisconnected()
        #expect(call.body.calls.contains("cancel") && routing.log.all.count == 1)
        #expect(routing.log.all[0].contains(#""after_leaving":"broken""#))
    }

    @Test func shutdownDropsDetachedStreams() {
        let (exchange, call, id) = begun()
        leave(exchange)
        finish(call)
        let state = routing.state
        state.endDisconnected()
        #expect(state.detachedStreams.withLock(\.count) == 0 && resume(id, after: "1").status == 404)
    }

    @Test func streamWithATakenClientIDIsNotResumable() {
        let fields: HTTPFields = [.xRequestID: "mine"]
        let first = routing.chat(fields: fields)
        let second = routing.chat(fields: fields)
        for call in routing.upstreams[0].calls {
            call.respond()
            call.body.send(Plan.role)
        }
        #expect(first.client.text == "id: 1\n" + Plan.role && second.client.text == Plan.role)
        leave(second)
        #expect(routing.upstreams[0].calls[1].body.calls.contains("cancel"))
    }
}
