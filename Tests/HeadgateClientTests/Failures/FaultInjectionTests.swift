import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateClient

/// Responses after `FaultInjectionMiddleware`, piece by piece.
@Suite struct FaultInjectionTests {
    private static let text = String(repeating: "data: {}\n\n", count: 3)

    private func answer(
        _ fault: InjectedFault, percent: Int = 100
    ) async throws -> (head: HTTPResponse, pieces: [[UInt8]]) {
        let transport = InMemoryTransport(.stream(Self.text))
        let (head, body) = try await FaultInjectionMiddleware(fault, percent: percent).intercept(
            HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1:8686", path: "/v1/chat/completions"),
            body: nil, baseURL: BaseURL(endpoint: .tcp(host: "127.0.0.1", port: 8686), pathPrefix: "/v1"),
            operationID: "createChatCompletion"
        ) { request, body, baseURL in
            try await transport.send(request, body: body, baseURL: baseURL, operationID: "createChatCompletion")
        }
        var pieces: [[UInt8]] = []
        let reader = BodyReader(body)
        while let piece = try await reader.next() { pieces.append(piece) }
        return (head, pieces)
    }

    @Test func retryAfterHasTheRequestedSeconds() async throws {
        let head = try await answer(.status(429, retryAfter: 7)).head
        #expect(head.status == 429 && head.headerFields[.retryAfter] == "7")
        #expect(try await answer(.status(503)).head.headerFields[.retryAfter] == nil)
    }

    @Test func errorInsideAResponseHasTheStatusOfSuccess() async throws {
        let (head, pieces) = try await answer(.errorIn200)
        #expect(head.status == 200 && String(decoding: pieces.joined(), as: UTF8.self).hasPrefix(#"{"error":{"#))
    }

    @Test func piecesHaveTheRequestedSize() async throws {
        let pieces = try await answer(.split(octets: 4)).pieces
        #expect(pieces.map(\.count) == [4, 4, 4, 4, 4, 4, 4, 2])
        #expect(String(decoding: pieces.joined(), as: UTF8.self) == Self.text)
    }

    @Test func slowBodyTakesItsTime() async throws {
        let start = ContinuousClock.now
        // Each piece has ten bytes, and pieces are 50 ms apart.
        let pieces = try await answer(.drip(octetsPerSecond: 200)).pieces
        #expect(pieces.map(\.count) == [10, 10, 10] && start.duration(to: .now) >= .milliseconds(100))
    }

    @Test func contentArrivesAfterItsDelay() async throws {
        let start = ContinuousClock.now
        _ = try await answer(.delayContent(.milliseconds(30)))
        #expect(start.duration(to: .now) >= .milliseconds(30))
    }

    @Test func otherResponsesAreUnchanged() async throws {
        let (head, pieces) = try await answer(.status(500), percent: 0)
        #expect(head.status == 200 && pieces == [Array(Self.text.utf8)])
    }

    @Test func mediaTypeIsTheRequestedOne() async throws {
        #expect(try await answer(.contentType("text/html")).head.headerFields[.contentType] == "text/html")
    }
}
