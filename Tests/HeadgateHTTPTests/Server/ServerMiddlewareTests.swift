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
        let chain = [Tag(name: "a"), Tag(name: "b"), Tag(name: "c")]
        #expect(try await run(echo.behind(chain, operationID: "o")) == (200, "/a(o)/b(o)/c(o)<c<b<a"))
    }

    @Test func emptyChainIsItsHandler() async throws {
        #expect(try await run(echo.behind([], operationID: "o")) == (200, ""))
    }

    @Test func middlewareMayAnswerWithoutTheRest() async throws {
        let chain = [Tag(name: "a"), Tag(name: "b", answersItself: true), Tag(name: "c")]
        #expect(try await run(echo.behind(chain, operationID: "o")) == (401, "/a(o)/b(o)<a"))
    }

    @Test func errorPassesThroughEveryMiddleware() async {
        let refusing = RequestHandler.immediate { _, _ in throw Refusal() }
        await #expect(throws: Refusal.self) {
            try await run(refusing.behind([Tag(name: "a"), Tag(name: "b")], operationID: "o"))
        }
    }

    @Test func handlerMayRunOften() async throws {
        let handler = echo.behind([Tag(name: "a")], operationID: "o")
        for _ in 0..<3 { #expect(try await run(handler) == (200, "/a(o)<a")) }
    }
}
