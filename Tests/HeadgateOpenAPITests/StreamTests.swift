import HeadgateHTTP
import Testing

@testable import HeadgateOpenAPI

/// Streams of events and of JSON, split anywhere.
@Suite struct StreamTests {
    private struct Delta: Codable, Hashable, Sendable { var text: String }

    /// Returns a body in chunks of `size` bytes.
    private func body(_ text: String, in size: Int) -> AsyncStream<ArraySlice<UInt8>> {
        let bytes = Array(text.utf8)
        let (stream, continuation) = AsyncStream<ArraySlice<UInt8>>.makeStream()
        for start in stride(from: 0, to: bytes.count, by: size) {
            continuation.yield(bytes[start..<min(start + size, bytes.count)])
        }
        continuation.finish()
        return stream
    }

    private func all<Source: AsyncSequence>(_ source: Source) async throws -> [Source.Element] {
        var elements: [Source.Element] = []
        for try await element in source { elements.append(element) }
        return elements
    }

    private func sent<Values: Sequence & Sendable>(_ values: Values) -> AsyncStream<Values.Element>
    where Values.Element: Sendable {
        let (stream, continuation) = AsyncStream<Values.Element>.makeStream()
        for value in values { continuation.yield(value) }
        continuation.finish()
        return stream
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func eventsAreThoseOfTheStandard(size: Int) async throws {
        let text = "\u{FEFF}: hello\r\n\r\nid: 7\r\nevent: add\ndata: a\ndata: é\n\ndata\n\ndata: cut off"
        let events = try await all(body(text, in: size).asDecodedServerSentEvents())
        #expect(
            events == [.init(id: "7", event: "add", data: "a\né"), .init(id: "7", data: "")])
    }

    @Test(arguments: [1, 5, 1000])
    func jsonOfEventsEndsWithTheMarker(size: Int) async throws {
        let text = "data: {\"text\":\"a\"}\n\ndata: {\"text\":\"b\"}\n\ndata: [DONE]\n\ndata: not JSON\n\n"
        let events = body(text, in: size)
            .asDecodedServerSentEventsWithJSONData(of: Delta.self) { $0 != ArraySlice("[DONE]".utf8) }
        #expect(try await all(events).map(\.data?.text) == ["a", "b"])
    }

    @Test(arguments: [1, 8, 1000])
    func valuesBeforeABadOneAreDeliveredInEverySplit(size: Int) async throws {
        let lines = body("{\"text\":\"a\"}\n{\"text\":\"b\"}\nx\n{\"text\":\"c\"}\n", in: size)
            .asDecodedJSONLines(of: Delta.self)
        var iterator = lines.makeAsyncIterator()
        #expect(try await iterator.next()?.text == "a")
        #expect(try await iterator.next()?.text == "b")
        await #expect(throws: DecodingError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test func eventsAreWrittenAsTheyAreRead() async throws {
        let events = [ServerSentEvent(id: "1", event: "add", data: "a\nb"), ServerSentEvent(id: "1", data: "c")]
        let bytes = try await all(sent(events).asEncodedServerSentEvents()).flatMap { $0 }
        #expect(String(decoding: bytes, as: UTF8.self) == "id: 1\nevent: add\ndata: a\ndata: b\n\nid: 1\ndata: c\n\n")
        #expect(
            try await all(body(String(decoding: bytes, as: UTF8.self), in: 3).asDecodedServerSentEvents()) == events)
        let deltas = [ServerSentEventWithJSONData(event: "delta", data: Delta(text: "a\nb"))]
        let lines = try await all(sent(deltas).asEncodedServerSentEventsWithJSONData()).flatMap { $0 }
        #expect(String(decoding: lines, as: UTF8.self) == "event: delta\ndata: {\"text\":\"a\\nb\"}\n\n")
    }

    @Test(arguments: [ServerSentEvent(id: "a\nb"), ServerSentEvent(event: "a\rdata: b"), ServerSentEvent(id: "\0")])
    func eventThatWouldForgeFieldsIsRefused(event: ServerSentEvent) async {
        await #expect(throws: EncodingError.self) { _ = try await all(sent([event]).asEncodedServerSentEvents()) }
    }

    @Test(arguments: [1, 4, 1000])
    func linesAndSequencesOfJSON(size: Int) async throws {
        let deltas = [Delta(text: "a"), Delta(text: "b")]
        let lines = "{\"text\":\"a\"}\r\n\n{\"text\":\"b\"}"
        #expect(try await all(body(lines, in: size).asDecodedJSONLines(of: Delta.self)) == deltas)
        let sequence = "\u{1E}{\"text\":\n\"a\"}\n\u{1E}{\"text\":\"b\"}\n"
        #expect(try await all(body(sequence, in: size).asDecodedJSONSequence(of: Delta.self)) == deltas)
        let written = try await all(sent(deltas).asEncodedJSONLines()).flatMap { $0 }
        #expect(String(decoding: written, as: UTF8.self) == "{\"text\":\"a\"}\n{\"text\":\"b\"}\n")
        let marked = try await all(sent(deltas).asEncodedJSONSequence()).flatMap { $0 }
        #expect(String(decoding: marked, as: UTF8.self) == "\u{1E}{\"text\":\"a\"}\n\u{1E}{\"text\":\"b\"}\n")
        await #expect(throws: DecodingError.self) {
            _ = try await all(body("{}\n", in: size).asDecodedJSONLines(of: Delta.self))
        }
    }

    @Test func streamIsABody() async throws {
        let body = HTTPBody(sent([Delta(text: "a")]).asEncodedJSONLines())
        #expect(body.length == .unknown && body.iterationBehavior == .single)
        #expect(try await String(collecting: body, upTo: 100) == "{\"text\":\"a\"}\n")
    }

    @Test func wholeBodiesAreLiterals() async throws {
        let text: HTTPBody = "héllo"
        #expect(text.length == .known(6) && text.iterationBehavior == .multiple)
        #expect(try await String(collecting: text, upTo: 6) == "héllo")
        #expect(try await [UInt8](collecting: [1, 2] as HTTPBody, upTo: 2) == [1, 2])
        await #expect(throws: HTTPSyntaxError.self) { _ = try await String(collecting: text, upTo: 5) }
    }
}
