import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct StreamRelayTests {
    private final class Fixture {
        let source = ManualBody()
        let client = CollectedBody()
        let record: RequestRecord
        let relay: StreamRelay

        init() {
            var clock: UInt64 = 0
            record = RequestRecord {
                clock += 1_000_000
                return clock
            }
            relay = StreamRelay(
                source: source, transform: ChatStreamTransform(options: Relayed.options()), dialect: .openAI,
                record: record)
        }

        // The relay and its source form a reference cycle until one of them ends.
        deinit { relay.cancel() }

        /// Opens with these bytes and starts the client's side.
        func open(_ text: String) async throws {
            source.onStart = { [source] in source.send(text) }
            try await waitInTask { [relay] in relay.open(completion: $0) }
            relay.start(client)
        }
    }

    private let first = Chunk.events(Chunk.role)

    @Test func everyChunkOfTheUpstreamIsOneWrite() async throws {
        let fixture = Fixture()
        try await fixture.open(first)
        fixture.source.send(Chunk.events(Chunk.content("a"), Chunk.content("b")))
        fixture.source.send("data: ")
        fixture.source.send(Chunk.events(Chunk.stop).dropFirst(6) + Chunk.done)
        #expect(
            fixture.client.pieces == [
                first, Chunk.events(Chunk.content("a"), Chunk.content("b")), Chunk.events(Chunk.stop) + Chunk.done,
            ])
        #expect(fixture.client.ends == ["complete"])
        #expect(fixture.source.calls.last == "discardRest")
        #expect(!fixture.source.calls.contains("cancel"))
    }

    @Test func streamThatEndedBeforeTheClientsSideStartedIsNotLost() async throws {
        let fixture = Fixture()
        let whole = first + Chunk.events(Chunk.stop) + Chunk.done
        try await fixture.open(whole)
        #expect(fixture.client.pieces == [whole])
        #expect(fixture.client.ends == ["complete"])
    }

    @Test func headGoesDownWithTheFirstEventOrComment() async throws {
        let fixture = Fixture()
        fixture.source.onStart = { [source = fixture.source] in
            source.send("da")
            source.send("ta: \(Chunk.role)\n")
            #expect(source.calls == ["start", "nothing", "underWay"])
            source.send("\n")
        }
        try await waitInTask { fixture.relay.open(completion: $0) }
        #expect(fixture.source.calls.last == "content" && !fixture.source.bytesAreProgress)

        let commented = Fixture()
        try await commented.open(": thinking\n\n")
        #expect(commented.client.pieces.isEmpty)
        #expect(commented.source.calls == ["start", "content"])
    }

    @Test(arguments: [[" ", "\n", "\u{FEFF}"], ["{", "\"a\"", ":"], ["  ", "[", " "], ["d", "a", "t"]])
    func bytesBeforeAnIdentifiedStreamAreIgnorable(_ pieces: [String]) {
        let fixture = Fixture()
        fixture.source.onStart = { [source = fixture.source] in for piece in pieces { source.send(piece) } }
        _ = fixture.relay.open { _ in }
        #expect(fixture.source.calls == ["start", "nothing", "nothing", "nothing"])
    }

    @Test func onlyContentIsProgress() async throws {
        let fixture = Fixture()
        try await fixture.open(first)
        fixture.source.send(": still here\n\n")
        fixture.source.send(Chunk.events(Chunk.role))
        #expect(fixture.source.calls.filter { $0 == "content" }.count == 1, "the beginning")
        #expect(fixture.record.facts.firstContentAt == nil)
        fixture.source.send(Chunk.events(Chunk.content("a")))
        fixture.source.send(Chunk.events(Chunk.content("b")))
        #expect(fixture.source.calls.filter { $0 == "content" }.count == 3)
        #expect(fixture.record.facts.firstContentAt == 2_000_000)
    }

    @Test func partialEventIsNeitherContentNorIgnorable() async throws {
        let fixture = Fixture()
        try await fixture.open(first)
        let event = Chunk.events(Chunk.content("abc"))
        fixture.source.send(String(event.prefix(5)))
        fixture.source.send(String(event.dropFirst(5).prefix(9)))
        fixture.source.send(String(event.dropFirst(14).dropLast()))
        fixture.source.send("\n")
        #expect(fixture.source.calls == ["start", "content", "nothing", "underWay", "underWay", "content"])
    }

    @Test(arguments: [
        [": still", " here", "\n\n"], ["event: mess", "age\n", "id: ", "7\n"], ["data:", "\n", "\n"],
        ["retry: 1", "0\n\n"],
        ["\n", "\r\n", "\n"],
    ])
    func partsOfANonEventAreIgnorable(_ pieces: [String]) async throws {
        let fixture = Fixture()
        try await fixture.open(first)
        for piece in pieces { fixture.source.send(piece) }
        #expect(fixture.source.calls.dropFirst(2).allSatisfy { $0 == "nothing" }, "\(fixture.source.calls)")
    }

    @Test func commentInsideAnEventIsIgnorable() async throws {
        let fixture = Fixture()
        try await fixture.open(first)
        fixture.source.send("data: {\"choices\":\n")
        fixture.source.send(": still here\n")
        fixture.source.send(": and here\n")
        fixture.source.send("data: []}")
        #expect(fixture.source.calls == ["start", "content", "underWay", "nothing", "nothing", "underWay"])
    }

    @Test func partsOfASplitDocumentAreInProgress() async throws {
        let fixture = Fixture()
        try await fixture.open(first)
        fixture.source.send("data: {\"choices\":\n\n")
        fixture.source.send("data: [{\"delta\":{\"content\":\"a\"}}\n\n")
        fixture.source.send("data: ]}\n\n")
        #expect(fixture.source.calls == ["start", "content", "underWay", "underWay", "content"])
    }

    @Test func splitEventWithoutContentIsIgnorable() async throws {
        let fixture = Fixture()
        try await fixture.open(first)
        fixture.source.send(String(first.prefix(20)))
        fixture.source.send(String(first.dropFirst(20)))
        #expect(fixture.source.calls == ["start", "content", "underWay", "nothing"])
    }

    @Test func contentFoundOnlyAtTheEndIsNoted() async throws {
        let fixture = Fixture()
        try await fixture.open(first)
        fixture.source.send("data: \(Chunk.finish(0))")
        fixture.source.finish()
        #expect(fixture.client.text == first + Chunk.events(Chunk.stop) + Chunk.done)
        #expect(fixture.record.facts.firstContentAt != nil)
    }

    @Test func failureBeforeTheFirstEventIsThrown() async {
        for text in [
            "", "<html>", "{\"error\":{\"message\":\"x\"}}", "data: nonsense\n\n",
            first + "data: {\"error\":\"x\"}\n\n",
        ] {
            let fixture = Fixture()
            fixture.source.onStart = { [source = fixture.source] in
                source.send(text)
                source.finish()
            }
            await #expect(throws: GatewayError.self) { try await waitInTask { fixture.relay.open(completion: $0) } }
            #expect(fixture.source.calls.contains("cancel"))
        }
    }

    @Test(arguments: ["data: {\"error\":\"x\"}\n\n", "data: {]\n\n"])
    func contentBeforeAnErrorIsDelivered(_ fault: String) async throws {
        let fixture = Fixture()
        try await fixture.open(first + Chunk.events(Chunk.content("a")) + fault)
        #expect(fixture.client.text.hasPrefix(first + Chunk.events(Chunk.content("a")) + "data: {\"error\":{"))
        #expect(!fixture.client.text.contains("[DONE]"))
        #expect(fixture.client.ends == ["completeThenClose"])
        #expect(fixture.record.facts.decidedEnd == .upstreamFailed && fixture.record.facts.firstContentAt != nil)
        #expect(fixture.source.calls.contains("cancel"))
    }

    @Test func failureLaterIsOneErrorEventAndTheEndOfTheConnection() async throws {
        for (kind, code, end) in [
            (TransportError.Kind.truncatedBody, "upstream_incomplete", Outcome.End.upstreamFailed),
            (.silenceTimeout, "upstream_timeout", .timedOut),
            (.protocolViolation, "upstream_protocol", .upstreamFailed),
        ] {
            let fixture = Fixture()
            try await fixture.open(first)
            fixture.source.send(Chunk.events(Chunk.content("a")))
            fixture.source.fail(kind)
            fixture.source.finish()
            #expect(fixture.client.pieces.count == 3)
            #expect(fixture.client.pieces.last?.hasPrefix("data: {\"error\":{\"message\":") == true)
            #expect(fixture.client.pieces.last?.contains("\"code\":\"\(code)\"") == true)
            #expect(!fixture.client.text.contains("[DONE]"))
            #expect(fixture.client.ends == ["completeThenClose"])
            #expect(fixture.record.facts.decidedEnd == end)
            #expect(fixture.record.facts.errorCode == code)
        }
    }

    @Test func outcomeOfADepartureHasTheCountsSoFar() async throws {
        let fixture = Fixture()
        try await fixture.open(first)
        fixture.source.send(Chunk.events(Chunk.content("a")))
        fixture.record.complete(.clientGone)
        fixture.source.send(Chunk.events(Chunk.content("b"), Chunk.stop, Chunk.usage))
        #expect(fixture.record.facts.events == 2)
        #expect(fixture.record.facts.promptTokens == nil && fixture.record.facts.finishReason == nil)
    }

    @Test func outcomeHasTheStreamsFigures() async throws {
        let fixture = Fixture()
        try await fixture.open(first)
        fixture.source.send(Chunk.events(Chunk.content("a"), Chunk.stop, Chunk.usage))
        fixture.source.fail(.truncatedBody)
        fixture.record.complete(.finished)
        #expect(fixture.record.facts.events == 4)
        #expect(fixture.record.facts.promptTokens == 9 && fixture.record.facts.completionTokens == 12)
        #expect(fixture.record.facts.finishReason == "stop")
        #expect(fixture.record.facts.isUncleanEnd)
        #expect(fixture.record.facts.decidedEnd == nil)
        #expect(fixture.client.ends == ["complete"])
    }

    @Test func backPressureAndCancellationPassThrough() async throws {
        let fixture = Fixture()
        try await fixture.open(first)
        fixture.relay.pause()
        fixture.relay.resume()
        fixture.relay.note(.content)
        fixture.relay.cancel()
        fixture.relay.cancel()
        #expect(fixture.source.calls == ["start", "content", "pause", "resume", "content", "cancel"])
        #expect(fixture.client.ends.isEmpty)
    }

    @Test func cancellationAfterTheEndHasNoEffect() async throws {
        let fixture = Fixture()
        try await fixture.open(Chunk.done)
        fixture.relay.cancel()
        fixture.relay.discardRest()
        #expect(!fixture.source.calls.contains("cancel"))
    }
}
