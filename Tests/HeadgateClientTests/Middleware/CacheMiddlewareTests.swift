import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateClient

@Suite struct CacheMiddlewareTests {
    private let request = ChatRequest(model: "m", prompt: "p")
    private static let whole = PlannedResponse.json(#"{"choices":[{"message":{"content":"a"}}]}"#)

    private func client(_ transport: InMemoryTransport, _ cache: CacheMiddleware) throws -> HeadgateClient {
        try HeadgateClient(apiKey: "k", transport: transport, middlewares: [cache])
    }

    @Test func sameRequestIsAnsweredOnce() async throws {
        let (transport, cache) = (InMemoryTransport(Self.whole), CacheMiddleware())
        let client = try client(transport, cache)
        for _ in 1...3 { #expect(try await client.chat.complete(request).text == "a") }
        #expect(transport.received.count == 1 && cache.hits == 2 && cache.misses == 1)
        _ = try await client.chat.complete(ChatRequest(model: "m", prompt: "q"))
        #expect(transport.received.count == 2)
        cache.removeAll()
        _ = try await client.chat.complete(request)
        #expect(transport.received.count == 3)
    }

    @Test func wholeStreamIsReplayedPieceByPiece() async throws {
        let transport = InMemoryTransport(.words(["Hel", "lo"]))
        let client = try client(transport, CacheMiddleware())
        for _ in 1...2 {
            let played = try await play(client.chat.stream(request), \.addedText)
            #expect(played == Played(pieces: ["Hel", "lo", ""], error: nil))
        }
        #expect(transport.received.count == 1)
    }

    @Test(arguments: [
        PlannedResponse.words(["a"], end: .fail(.truncatedBody)), .json("{}", status: 429),
        .json(#"{"error":{"message":"no"}}"#), .stream(Events.delta("a") + Events.stop()),
        .stream(Events.delta("a") + Events.data(#"{"error":{"message":"no"}}"#)),
        .stream(Events.delta("data: [DONE] event: message_stop") + Events.stop()),
        .json(#"{"choices":[{"message":{"content":"a"}}]"#), .json(""), .json(#"{"choices":[]} <"#),
    ])
    func incompleteOrFailedResponsesAreNotCached(response: PlannedResponse) async throws {
        let transport = InMemoryTransport(response)
        let client = try client(transport, CacheMiddleware())
        for _ in 1...2 { _ = try? await play(client.chat.stream(request), \.addedText) }
        #expect(transport.received.count == 2)
    }

    @Test func onlyDocumentsWithAJSONTypeAreComplete() {
        func isWhole(_ type: String, _ body: String) -> Bool {
            ResponseCache.isWhole(
                Array(body.utf8), of: HTTPResponse(status: .ok, headerFields: [.contentType: type]))
        }
        #expect(isWhole("application/json; charset=utf-8", "{} "))
        #expect(!isWhole("text/html", "{}") && !isWhole("application/json", "<html>"))
        #expect(isWhole("text/event-stream", "data: {}\r\n\r\ndata: [DONE]\r\n\r\n"))
        #expect(!isWhole("text/event-stream", "data: x data: [DONE]\n\n"))
        for end in ["event: message_stop", "event:response.completed", "event: response.completed"] {
            #expect(isWhole("text/event-stream", "data: {}\n\n\(end)\ndata: {}\n\n"))
        }
        for end in ["event: response.failed", "event: response.incomplete", "event: error"] {
            #expect(!isWhole("text/event-stream", "data: {}\n\n\(end)\ndata: {}\n\n"))
        }
    }

    @Test func abandonedStreamIsNotCached() async throws {
        let transport = InMemoryTransport(.words(["a", "b"]))
        let client = try client(transport, CacheMiddleware())
        for _ in 1...2 { for try await _ in client.chat.stream(request) { break } }
        #expect(transport.received.count == 2)
    }

    @Test func keysAndServersHaveSeparateEntries() async throws {
        let (transport, cache) = (InMemoryTransport(Self.whole), CacheMiddleware())
        for (key, server) in [("a", "http://a"), ("b", "http://a"), ("a", "http://b"), ("a", "http://a")] {
            let client = try HeadgateClient(
                baseURL: server, apiKey: key, transport: transport, middlewares: [cache])
            _ = try await client.chat.complete(request)
        }
        #expect(transport.received.count == 3)
    }

    @Test func requestWithoutCachingBypassesTheCache() async throws {
        struct Fresh: ClientRequestEditor {
            func edit(_ request: inout HTTPRequest) { request.headerFields[.cacheControl] = "no-cache" }
        }
        let transport = InMemoryTransport(Self.whole)
        let client = try HeadgateClient(transport: transport, middlewares: [Fresh(), CacheMiddleware()])
        for _ in 1...2 { _ = try await client.chat.complete(request) }
        #expect(transport.received.count == 2)
    }

    @Test func memoryIsBoundedAndTheLeastRecentlyUsedGoesFirst() {
        let now = ContinuousClock.now
        var cache = ResponseCache(
            maximumAge: .seconds(10), maximumBytes: 2 * (ResponseCache.overhead + 100))
        func key(_ name: String) -> ResponseCache.Key {
            ResponseCache.Key(
                request: HTTPRequest(method: .post, scheme: nil, authority: "a", path: name),
                server: BaseURL(endpoint: .tcp(host: "a", port: 1), pathPrefix: ""), body: [])
        }
        let (head, body) = (HTTPResponse(status: .ok), [UInt8](repeating: 0, count: 100))
        for name in ["a", "b"] { cache.keep(head, body, for: key(name), at: now) }
        #expect(cache.find(key("a"), at: now)?.body == body)
        cache.keep(head, body, for: key("c"), at: now)
        #expect(cache.find(key("b"), at: now) == nil)
        #expect(cache.find(key("a"), at: now + .seconds(9))?.age == .seconds(9))
        #expect(cache.find(key("a"), at: now + .seconds(10)) == nil)
        #expect(cache.weight == ResponseCache.overhead + 100)
        cache.keep(head, [UInt8](repeating: 0, count: 4000), for: key("d"), at: now)
        #expect(cache.find(key("d"), at: now) == nil)
    }
}
