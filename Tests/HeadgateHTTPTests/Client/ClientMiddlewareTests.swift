import HTTPTypes
import HeadgateHTTP
import Testing

@Suite struct ClientMiddlewareTests {
    private struct Tag: ClientMiddleware {
        let name: String
        var attempts = 1

        func intercept(
            _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
        ) async throws -> (HTTPResponse, HTTPBody?) {
            var request = request
            request.path = (request.path ?? "") + "/\(name)(\(operationID))"
            for _ in 1..<attempts { _ = try await next(request, body, baseURL) }
            return try await next(request, body, baseURL)
        }
    }

    private final class Echo: ClientTransport {
        func send(
            _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String
        ) async throws -> (HTTPResponse, HTTPBody?) {
            if request.path?.hasPrefix("/fail") == true { throw TransportError(.connect, "refused") }
            let sent = String(decoding: try await body?.collect(upTo: 100) ?? [], as: UTF8.self)
            return (
                HTTPResponse(status: .ok),
                .bytes(Array("\(baseURL.authority) \(operationID) \(request.path ?? "") \(sent)".utf8))
            )
        }
    }

    private func send(_ middlewares: [any ClientMiddleware], path: String = "") async throws -> String {
        let url = BaseURL(endpoint: .tcp(host: "a", port: 80), pathPrefix: "")
        let request = HTTPRequest(method: .post, scheme: "http", authority: "a", path: path)
        let (_, body) = try await Echo().wrapped(in: middlewares, operationID: "o")(
            request, .bytes(Array("body".utf8)), url)
        return String(decoding: try await body?.collect(upTo: 1000) ?? [], as: UTF8.self)
    }

    @Test func transportIsLast() async throws {
        #expect(try await send([Tag(name: "a"), Tag(name: "b")]) == "a o /a(o)/b(o) body")
        #expect(try await send([]) == "a o  body")
    }

    @Test func middlewareCanSendAgain() async throws {
        #expect(try await send([Tag(name: "retry", attempts: 3), Tag(name: "b")]) == "a o /retry(o)/b(o) body")
    }

    @Test func transportErrorReachesTheCaller() async {
        await #expect(throws: TransportError(.connect, "refused")) { try await send([Tag(name: "a")], path: "/fail") }
    }
}
