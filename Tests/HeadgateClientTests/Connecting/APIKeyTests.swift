import HeadgateClient
import Testing

/// Keys that are looked up on demand. This file has a single import, as an app has.
@Suite struct APIKeyTests {
    private struct NoKey: Error {}

    private final class Answering: ClientTransport {
        let keys: AsyncStream<String?>.Continuation
        init(_ keys: AsyncStream<String?>.Continuation) { self.keys = keys }

        func send(
            _ request: HTTPRequest, body _: HTTPBody?, baseURL _: BaseURL, operationID _: String
        ) async throws -> (HTTPResponse, HTTPBody?) {
            keys.yield(request.headerFields[.authorization])
            let body = HTTPBody.bytes(Array(#"{"object":"list","data":[]}"#.utf8))
            return (HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body)
        }
    }

    @Test func closureIsCalledForEachRequest() async throws {
        let (stream, continuation) = AsyncStream<String?>.makeStream()
        let source = KeySource()
        let client = try HeadgateClient(apiKey: { await source.next() }, transport: Answering(continuation))
        for _ in 1...2 { _ = try await client.models.list() }
        continuation.finish()
        var seen: [String?] = []
        for await key in stream { seen.append(key) }
        #expect(seen == ["Bearer hg-1", nil])
    }

    @Test func requestThrowsTheClosuresError() async throws {
        let (stream, continuation) = AsyncStream<String?>.makeStream()
        let client = try HeadgateClient(apiKey: { throw NoKey() }, transport: Answering(continuation))
        await #expect(throws: NoKey.self) { _ = try await client.models.list() }
        await #expect(throws: NoKey.self) { _ = try await ChatSession(client: client, model: "m").respond(to: "p") }
        continuation.finish()
        for await _ in stream { Issue.record("a request was sent") }
    }

    private actor KeySource {
        private var keys: [String?] = ["hg-1", nil]
        func next() -> String? { keys.removeFirst() }
    }
}
