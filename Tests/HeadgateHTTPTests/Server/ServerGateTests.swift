import HTTPTypes
import HeadgateHTTP
import Testing

@Suite struct ServerGateTests {
    private struct Tag: ServerGate {
        let name: String
        var refuses = false

        func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws {
            metadata.pathParameters["passed", default: ""] += "/\(name)(\(operationID))"
            if refuses { throw Refusal() }
        }
    }

    private struct Refusal: Error {}

    /// A handler that responds at once and one that waits. Both respond with the gates that were passed.
    private let handlers: [RequestHandler] = [
        .immediate { _, metadata in response(passing: metadata) },
        .task { _, _, metadata in response(passing: metadata) },
    ]

    private static func response(passing metadata: ServerRequestMetadata) -> ServerResponse {
        ServerResponse(HTTPResponse(status: .ok), .bytes(Array((metadata.pathParameters["passed"] ?? "").utf8)))
    }

    private let metadata = ServerRequestMetadata(
        connection: ConnectionEnds(localAddress: "127.0.0.1", localPort: 1, remoteAddress: "127.0.0.1"),
        bodyLength: .fixed(0), context: NoContext())

    private func run(_ handler: RequestHandler) async throws -> String {
        let request = RequestHead(HTTPRequest(method: .get, scheme: "http", authority: "a", path: ""))
        metadata.pathParameters = [:]
        let response: ServerResponse
        switch handler {
        case .task(let respond): response = try await respond(request, nil, metadata)
        case .direct(let respond):
            var result: Result<ServerResponse, any Error>?
            respond(request, nil, metadata) { result = $0 }
            response = try #require(try result?.get())
        }
        return String(decoding: try await response.body?.collect(upTo: 1000) ?? [], as: UTF8.self)
    }

    @Test func requestsPassGatesInOrder() async throws {
        let gates = [Tag(name: "a"), Tag(name: "b"), Tag(name: "c")]
        for handler in handlers {
            let admitted = handler.behind(gates, operationID: "o")
            for _ in 0..<3 { #expect(try await run(admitted) == "/a(o)/b(o)/c(o)") }
        }
    }

    @Test func handlerWithoutGatesIsReachedAtOnce() async throws {
        for handler in handlers { #expect(try await run(handler.behind([], operationID: "o")) == "") }
    }

    @Test func refusedRequestReachesNeitherLaterGatesNorTheHandler() async {
        let gates = [Tag(name: "a"), Tag(name: "b", refuses: true), Tag(name: "c")]
        for handler in handlers {
            await #expect(throws: Refusal.self) { try await run(handler.behind(gates, operationID: "o")) }
            #expect(metadata.pathParameters["passed"] == "/a(o)/b(o)")
        }
    }
}
