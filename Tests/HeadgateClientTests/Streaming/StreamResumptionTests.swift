import Foundation
import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateClient

/// Streams that break, of a server that retains them.
@Suite struct StreamResumptionTests {
    private static func word(_ id: Int, _ text: String) -> String { "id: \(id)\n" + Events.delta(text) }
    private static let end = "id: 9\n" + Events.stop() + "id: 10\n" + Events.done

    private func response(_ text: String, end: PlannedResponse.End = .complete, id: String = "req-1") -> PlannedResponse
    {
        var response = PlannedResponse.stream(text, end: end)
        response.fields[.xRequestID] = id
        return response
    }

    private func text(_ transport: InMemoryTransport, times: Int = 3) async throws -> String {
        let chat = try client(of: transport).chat
        var text = ""
        for try await piece in chat.stream(ChatRequest(model: "m", prompt: "p")).resuming(times: times).text {
            text += piece
        }
        return text
    }

    @Test func brokenStreamResumesAutomatically() async throws {
        let transport = InMemoryTransport(
            response(Self.word(1, "A") + Self.word(2, "B") + "id: 3\ndata: {\"id\":", end: .fail(.truncatedBody)),
            response(Self.word(3, "C"), end: .fail(.truncatedBody), id: "req-2"),
            response(Self.word(4, "D") + Self.end, id: "req-3"))
        #expect(try await text(transport) == "ABCD")
        let sent = transport.received.map(\.request)
        let lastEventID = try #require(HTTPField.Name("last-event-id"))
        #expect(sent.map(\.path) == ["/v1/chat/completions", "/v1/streams/req-1", "/v1/streams/req-1"])
        #expect(sent[1].method == .get && sent[1].headerFields[lastEventID] == "2")
        #expect(sent[2].headerFields[lastEventID] == "3")
    }

    @Test func endWithoutItsMarkerIsResumed() async throws {
        let transport = InMemoryTransport(response(Self.word(1, "A")), response(Self.word(2, "B") + Self.end))
        #expect(try await text(transport) == "AB")
    }

    @Test func streamWithoutIDsIsNotResumed() async throws {
        let transport = InMemoryTransport(response(Events.delta("A"), end: .fail(.truncatedBody)))
        await #expect(throws: HeadgateClientError.self) { try await text(transport) }
        #expect(transport.received.count == 1)
    }

    @Test func resumptionIsOptIn() async throws {
        let transport = InMemoryTransport(response(Self.word(1, "A"), end: .fail(.truncatedBody)))
        await #expect(throws: HeadgateClientError.self) { try await text(transport, times: 0) }
        #expect(transport.received.count == 1)
    }

    @Test(arguments: [404, 410]) func lostStreamIsReportedAtOnce(_ status: Int) async throws {
        let transport = InMemoryTransport(
            response(Self.word(1, "A"), end: .fail(.truncatedBody)),
            .json(#"{"error":{"message":"gone","code":"stream_not_found"}}"#, status: status))
        do {
            _ = try await text(transport)
            Issue.record("nothing was thrown")
        } catch HeadgateClientError.status(let failure) {
            #expect(failure.status == status)
        }
        #expect(transport.received.count == 2)
    }

    @Test func retriesAreBounded() async throws {
        let transport = InMemoryTransport(
            response(Self.word(1, "A"), end: .fail(.truncatedBody)), .failing(.connect))
        do {
            _ = try await text(transport, times: 2)
            Issue.record("nothing was thrown")
        } catch let error as HeadgateClientError {
            #expect(error.kind == "connectionFailed")
        }
        #expect(transport.received.count == 3)
    }

    @Test func errorInTheStreamIsNotABrokenConnection() async throws {
        let transport = InMemoryTransport(
            response(Self.word(1, "A") + "id: 2\n" + Events.data(#"{"error":{"message":"no"}}"#)))
        await #expect(throws: HeadgateClientError.self) { try await text(transport) }
        #expect(transport.received.count == 1)
    }

    @Test func positionIsAfterTheDeliveredPiece() async throws {
        let transport = InMemoryTransport(response(Self.word(1, "A") + Self.word(2, "B") + Self.end))
        var iterator = try client(of: transport).chat.stream(ChatRequest(model: "m", prompt: "p")).makeAsyncIterator()
        #expect(iterator.position == nil)
        _ = try await iterator.next()
        #expect(iterator.position == StreamPosition(streamID: "req-1", lastEventID: "1"))
        _ = try await iterator.next()
        #expect(iterator.position?.lastEventID == "2")
    }

    @Test func endedStreamHasNoRest() async throws {
        let transport = InMemoryTransport(PlannedResponse(status: 204))
        let chat = try client(of: transport).chat
        let position = StreamPosition(streamID: "req-1", lastEventID: "10")
        var pieces = 0
        for try await _ in chat.resume(position) { pieces += 1 }
        #expect(pieces == 0)
    }

    @Test func emptyRestIsNotAnEndBeforeTheEnd() async throws {
        let transport = InMemoryTransport(
            response(Self.word(1, "A"), end: .fail(.truncatedBody)), PlannedResponse(status: 204))
        do {
            _ = try await text(transport)
            Issue.record("nothing was thrown")
        } catch let error as HeadgateClientError {
            #expect(error.kind == "streamTruncated")
        }
        #expect(transport.received.count == 2)
    }

    @Test func emptyRestIsTheEndOfACompleteStream() async throws {
        let transport = InMemoryTransport(
            response(Self.word(1, "A") + "id: 2\n" + Events.stop() + "id: 3\ndata: {", end: .complete),
            PlannedResponse(status: 204))
        #expect(try await text(transport) == "A")
    }

    private static let message = [
        "id: 1\n"
            + Events.data(
                #"{"type":"message_start","message":{"id":"msg_1","model":"m","usage":{"input_tokens":7,"output_tokens":1}}}"#
            ),
        "id: 2\n"
            + Events.data(#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"A"}}"#),
        "id: 3\n"
            + Events.data(#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}"#)
            + "id: 4\n" + Events.data(#"{"type":"message_stop"}"#),
    ]

    @Test func storedPositionRetainsDataOfTheBeginning() async throws {
        let transport = InMemoryTransport(
            response(Self.message[0] + Self.message[1], end: .fail(.truncatedBody)), response(Self.message[2]))
        let chat = try client(of: transport).chat
        var iterator = chat.stream(ChatRequest(model: "m", messages: [.user("p")], route: .messages))
            .makeAsyncIterator()
        _ = try await iterator.next()
        _ = try await iterator.next()
        let stored = try JSONEncoder().encode(try #require(iterator.position))
        let position = try JSONDecoder().decode(StreamPosition.self, from: stored)
        var pieces: [ChatCompletionChunk] = []
        for try await piece in chat.resume(position, route: .messages) { pieces.append(piece) }
        #expect(pieces.map(\.id) == ["msg_1"] && pieces.map(\.model) == ["m"])
        #expect(pieces.last?.usage?.promptTokens == 7 && pieces.last?.usage?.completionTokens == 5)
    }

    @Test func storedPositionRecordsAMissingEnd() async throws {
        let transport = InMemoryTransport(response(Self.word(1, "A") + Self.end), PlannedResponse(status: 204))
        let chat = try client(of: transport).chat
        var iterator = chat.stream(ChatRequest(model: "m", prompt: "p")).makeAsyncIterator()
        _ = try await iterator.next()
        let position = try #require(iterator.position)
        await #expect(throws: HeadgateClientError.self) { for try await _ in chat.resume(position) {} }
    }

    @Test func positionOfAnEarlierVersionIsRead() throws {
        let stored = Array(#"{"streamID":"req-1","lastEventID":"2"}"#.utf8)
        let position = try JSONDecoder().decode(StreamPosition.self, from: Data(stored))
        #expect(position == StreamPosition(streamID: "req-1", lastEventID: "2"))
    }
}
