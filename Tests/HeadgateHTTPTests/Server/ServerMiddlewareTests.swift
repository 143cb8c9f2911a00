import HTTPTypes
import HeadgateHTTP
import Testing

@Suite struct ServerMiddlewareTests {
    private struct Tag: ServerMiddleware {
        let name: String
        var answersItself = false

        func intercept(
            _ request: RequestHead, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
            next: ServerHandler
        ) async throws -> ServerResponse {
            var changed = request.request
            changed.path = request.path + "/\(name)(\(operationID))"
            if answersItself {
                return ServerResponse(HTTPResponse(status: .unauthorized), .bytes(Array((changed.path ?? "").utf8)))
            }
            let response = try await next(RequestHead(changed), body, metadata)
            guard case .bytes(let bytes) = response.body else { return response }
            return ServerResponse(response.head, .bytes(bytes + Array("<\(name)".utf8)))
        }
    }

    private struct Refusal: Error {}

    private func run(_ handler: RequestHandler) async throws -> (Int, String) {
        let ends = ConnectionEnds(localAddress: "127.0.0.1", localPort: 1, remoteAddress: "127.0.0.1")
        let metadata = ServerRequestMetadata(connection: ends, bodyLength: .fixed(0), context: NoContext())
        let request = RequestHead(HTTPRequest(method: .get, scheme: "http", authority: "a", path: ""))
        let response = try await handler.waiting(request, nil, metadata)
        return (
            response.head.status, String(decoding: try await response.body?.collect(upTo: 1000) ?? [], as: UTF8.self)
        )
    }

    private let echo = RequestHandler.immediate { request, _ in
        ServerResponse(HTTPResponse(status: .ok), .bytes(Array(request.path.utf8)))
    }

    @Test func firstMiddlewareIsOutermost() async throws {
        let chain = ServerMiddlewareChain([Tag(name: "a")]).appending(Tag(name: "b"), Tag(name: "c"))
        #expect(try await run(chain.handler(operationID: "o", endingAt: echo)) == (200, "/a(o)/b(o)/c(o)<c<b<a"))
    }

    @Test func emptyChainIsItsHandler() async throws {
        #expect(try await run(ServerMiddlewareChain().handler(operationID: "o", endingAt: echo)) == (200, ""))
    }

    @Test func appendingLeavesTheShorterChainAlone() async throws {
        let short = ServerMiddlewareChain([Tag(name: "a")])
        _ = short.appending(Tag(name: "b"))
        #expect(try await run(short.handler(operationID: "o", endingAt: echo)) == (200, "/a(o)<a"))
    }

    @Test func middlewareMayAnswerWithoutTheRest() async throws {
        let chain = ServerMiddlewareChain([Tag(name: "a"), Tag(name: "b", answersItself: true), Tag(name: "c")])
        #expect(try await run(chain.handler(operationID: "o", endingAt: echo)) == (401, "/a(o)/b(o)<a"))
    }

    @Test func errorPassesThroughEveryMiddleware() async {
        let chain = ServerMiddlewareChain([Tag(name: "a"), Tag(name: "b")])
        await #expect(throws: Refusal.self) {
            try await run(chain.handler(operationID: "o", endingAt: .immediate { _, _ in throw Refusal() }))
        }
    }

    @Test func handlerMayRunOften() async throws {
        let handler = ServerMiddlewareChain([Tag(name: "a")]).handler(operationID: "o", endingAt: echo)
        for _ in 0..<3 { #expect(try await run(handler) == (200, "/a(o)<a")) }
    }
}
