import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Two gateways with one store; the test controls the upstream, the clients and the clocks.
@Suite struct ReplicatedStreamTests {
    typealias Plan = PlannedTransport.Plan

    private let store = MemoryStreamStore()
    private let first: ManualRouting
    private let second: ManualRouting
    private static let buffer = 64 << 10

    init() {
        (first, second) = (Self.gateway(store), Self.gateway(store))
    }

    private static func gateway(_ store: MemoryStreamStore, key: String? = "sk-client-0123456789") -> ManualRouting {
        ManualRouting(
            targets: 1, streams: StreamsConfiguration(buffer: buffer), streamStore: store, clientKey: key
        ) { model, _ in
            model.onDisconnect = .detach
        }
    }

    /// Starts a stream at the first gateway. Its client disconnects after two events.
    private func begun() -> (ManualTransport.Call, id: String) {
        let exchange = first.chat()
        let call = first.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.role + Plan.content("A"))
        exchange.complete(.clientGone)
        exchange.hangUp()
        return (call, exchange.metadata.record.requestID)
    }

    private func resume(_ id: String, after event: Int, at gateway: ManualRouting? = nil) -> RoutedExchange {
        (gateway ?? second).ask(.get, "/v1/streams/\(id)", [.lastEventID: "\(event)"])
    }

    /// Returns one event with a text of this many bytes.
    private func long(_ octets: Int) -> String { Plan.content(String(repeating: "x", count: octets)) }

    @Test func restIsReadFromTheOtherGateway() {
        let (call, id) = begun()
        let reader = resume(id, after: 1)
        #expect(reader.status == 200 && reader.client.text == "id: 2\n" + Plan.content("A"))
        call.body.send(Plan.content("B"))
        second.clock.advance(by: .milliseconds(300))
        call.body.send(Plan.finish + Plan.done)
        call.body.finish()
        second.clock.advance(by: .milliseconds(300))
        #expect(reader.client.ends == ["complete"])
        #expect(resume(id, after: 1, at: first).client.text == reader.client.text)
        #expect(resume(id, after: 5).status == 204 && resume(id, after: 6).status == 400)
    }

    @Test func eventInTransitToTheStoreIsAwaited() {
        let (_, id) = begun()
        let reader = resume(id, after: 3)
        #expect(reader.status == nil)
        for _ in 0..<8 { second.clock.advance(by: .milliseconds(250)) }
        #expect(reader.status == 400 && reader.client.text.contains(#""code":"invalid_last_event_id""#))
    }

    @Test func stalledClientHoldsOneReplyAndCountsAsPresent() throws {
        let (call, id) = begun()
        let reader = resume(id, after: 0)
        guard case .stream(let body)? = reader.response?.body else { throw TestFailure.timedOut(waitingFor: "a body") }
        body.pause()
        let had = reader.client.text
        call.body.send(Plan.content("B"))
        for _ in 0..<5 { second.clock.advance(by: .seconds(2)) }
        #expect(reader.client.text == had)
        body.resume()
        second.clock.advance(by: .milliseconds(300))
        #expect(reader.client.text == had + "id: 3\n" + Plan.content("B"))
    }

    @Test func remoteReaderKeepsAStreamAlive() {
        let (call, id) = begun()
        first.clock.advance(by: .seconds(590))
        let reader = resume(id, after: 2)
        // The first gateway learns of the reader with its next renewal.
        first.clock.advance(by: .seconds(20))
        #expect(!call.body.calls.contains("cancel") && reader.client.ends.isEmpty)
        // The last reader has left, so the timeout starts again.
        reader.hangUp()
        store.endReaders()
        first.clock.advance(by: .seconds(595))
        #expect(!call.body.calls.contains("cancel"))
        first.clock.advance(by: .seconds(10))
        #expect(call.body.calls.contains("cancel") && resume(id, after: 2).status == 404)
    }

    @Test func silentRemoteReaderKeepsNoStreamForever() {
        let (call, id) = begun()
        _ = resume(id, after: 2)
        first.clock.advance(by: .seconds(1))
        store.setAway(true)
        first.clock.advance(by: .seconds(600))
        #expect(!call.body.calls.contains("cancel"))
        first.clock.advance(by: .seconds(15))
        #expect(call.body.calls.contains("cancel"))
        // The store receives the end later.
        store.setAway(false)
        first.clock.advance(by: .seconds(5))
        #expect(resume(id, after: 2).status == 404)
    }

    @Test func unresponsiveStoreIsNotCalledForEachEvent() {
        let (call, id) = begun()
        store.setAway(true)
        let asked = store.asked
        for _ in 0..<20 { call.body.send(Plan.content("B")) }
        #expect(store.asked == asked + 1)
        first.clock.advance(by: .seconds(30))
        #expect(store.asked > asked + 5 && store.asked < asked + 15)
        store.setAway(false)
        first.clock.advance(by: .seconds(4))
        #expect(resume(id, after: 20).client.text.contains("id: 22\n"))
    }

    @Test func remoteReaderHoldsBackTheUpstream() {
        let (call, id) = begun()
        let reader = resume(id, after: 2)
        first.clock.advance(by: .seconds(1))
        for _ in 0..<3 { call.body.send(long(30 << 10)) }
        #expect(call.body.calls.contains("pause") && !call.body.calls.contains("cancel"))
        second.clock.advance(by: .seconds(1))
        #expect(reader.client.text.hasSuffix("id: 5\n" + long(30 << 10)))
        second.clock.advance(by: .seconds(1))
        first.clock.advance(by: .seconds(1))
        #expect(call.body.calls.contains("resume"))
    }

    @Test func remotelyStoppedStreamEnds() {
        let (call, id) = begun()
        let reader = resume(id, after: 2)
        #expect(second.ask(.delete, "/v1/streams/\(id)", [:]).status == 200)
        first.clock.advance(by: .seconds(1))
        #expect(call.body.calls.contains("cancel"))
        second.clock.advance(by: .seconds(1))
        #expect(reader.client.text.contains(#""code":"stream_stopped""#))
        #expect(reader.client.ends == ["completeThenClose"])
        #expect([first, second].map { resume(id, after: 2, at: $0).status } == [404, 404])
        #expect(second.ask(.delete, "/v1/streams/\(id)", [:]).status == 404)
    }

    @Test func locallyStoppedStreamIsUnknownElsewhere() {
        let (call, id) = begun()
        call.body.send(Plan.finish + Plan.done)
        call.body.finish()
        #expect(resume(id, after: 0).status == 200)
        #expect(first.ask(.delete, "/v1/streams/\(id)", [:]).status == 200)
        #expect(resume(id, after: 0).status == 404)
    }

    @Test func evictedStreamIsRemovedFromTheStoreToo() {
        let streams = StreamsConfiguration(buffer: Self.buffer, memory: 100 << 10)
        let small = ManualRouting(
            targets: 1, streams: streams, streamStore: store, clientKey: "sk-client-0123456789"
        ) { model, _ in
            model.onDisconnect = .detach
        }
        func ended(_ number: Int) -> String {
            let exchange = small.chat()
            let call = small.upstreams[0].calls[number]
            call.respond()
            call.body.send(long(50 << 10) + Plan.finish + Plan.done)
            call.body.finish()
            exchange.complete()
            return exchange.metadata.record.requestID
        }
        let before = ended(0)
        #expect(resume(before, after: 0).status == 200)
        let after = ended(1)
        #expect(store.count == 1)
        #expect(resume(before, after: 0).status == 404 && resume(after, after: 0).status == 200)
    }

    @Test func lostGatewaysStreamsEndWithAnError() {
        let (_, id) = begun()
        let reader = resume(id, after: 0)
        store.endWriters()
        second.clock.advance(by: .seconds(1))
        #expect(reader.client.text.contains(#""code":"stream_lost""#) && reader.client.ends == ["completeThenClose"])
        // The error event has no id, so a client that resumes requests only the events that it lacks.
        #expect(reader.client.text.split(separator: "\n").filter { $0.hasPrefix("id: ") } == ["id: 1", "id: 2"])
        let late = resume(id, after: 2)
        #expect(late.status == 410 && late.client.text.contains(#""code":"stream_lost""#))
        #expect(resume(id, after: 0).client.text.hasPrefix("id: 1\n"))
    }

    @Test func storeOutageStopsNoStream() {
        let exchange = first.chat()
        let call = first.upstreams[0].calls[0]
        call.respond()
        store.setAway(true)
        call.body.send(Plan.role + Plan.content("A") + Plan.finish + Plan.done)
        call.body.finish()
        #expect(exchange.client.ends == ["complete"])
        let id = exchange.metadata.record.requestID
        let away = resume(id, after: 0)
        #expect(away.status == 503 && away.client.text.contains(#""code":"stream_store_unavailable""#))
        #expect(away.fields[.retryAfter] == "1")
        #expect(second.ask(.delete, "/v1/streams/\(id)", [:]).status == 503)
        store.setAway(false)
        first.clock.advance(by: .seconds(1))
        #expect(resume(id, after: 0).client.text == exchange.client.text)
    }

    @Test func unwrittenEndIsNotMistakenForAnotherStreams() {
        let exchange = first.chat(fields: [.xRequestID: "again"])
        let call = first.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.content("A") + Plan.content("B") + Plan.content("C"))
        store.setAway(true)
        call.body.send(Plan.finish + Plan.done)
        call.body.finish()
        exchange.complete()
        // The new stream has fewer events than the store has of its predecessor.
        _ = first.chat(fields: [.xRequestID: "again"])
        first.upstreams[0].calls[1].respond()
        first.upstreams[0].calls[1].body.send(Plan.content("D"))
        store.setAway(false)
        first.clock.advance(by: .seconds(3))
        #expect(resume("again", after: 0).client.text == "id: 1\n" + Plan.content("D"))
    }

    @Test func longStoreOutageEndsSharing() {
        let (call, id) = begun()
        let reader = resume(id, after: 2)
        store.setAway(true)
        call.body.send(Plan.finish + Plan.done)
        call.body.finish()
        second.clock.advance(by: .seconds(16))
        #expect(reader.client.text.contains(#""code":"stream_out_of_reach""#))
        first.clock.advance(by: .seconds(61))
        store.setAway(false)
        let writes = store.writes
        first.clock.advance(by: .seconds(10))
        #expect(store.writes == writes)
    }

    @Test func shutdownIsReportedToOtherGateways() {
        let (_, id) = begun()
        let reader = resume(id, after: 2)
        first.state.endDisconnected()
        second.clock.advance(by: .seconds(1))
        #expect(reader.client.text.contains("shutting down") && reader.client.ends == ["completeThenClose"])
        #expect(resume(id, after: 2).client.text == reader.client.text)
    }

    @Test func keylessCallersStreamIsNotShared() {
        let (one, other) = (Self.gateway(store, key: nil), Self.gateway(store, key: nil))
        let exchange = one.chat()
        let call = one.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.role)
        let id = exchange.metadata.record.requestID
        #expect(store.asked == 0 && resume(id, after: 0, at: other).status == 404)
        #expect(resume(id, after: 0, at: one).status == 200)
    }

    @Test func modelWithoutDetachSharesNothing() {
        let plain = ManualRouting(targets: 1, streamStore: store)
        _ = plain.chat()
        plain.upstreams[0].calls[0].respond()
        plain.upstreams[0].calls[0].body.send(Plan.role)
        #expect(store.writes == 0)
    }

    @Test(arguments: [
        ReplicatedStreamOpening(fields: Array("content-type: text/html\r\n".utf8), dialect: 1, model: nil),
        ReplicatedStreamOpening(fields: Array("content-type: text/event-stream\r\n".utf8), dialect: 4, model: nil),
        ReplicatedStreamOpening(fields: Array("content-type: text/event-stream\r\n".utf8), dialect: 99, model: nil),
    ])
    func invalidOpeningIsIgnored(_ opening: ReplicatedStreamOpening) { #expect(opening.response == nil) }
}
