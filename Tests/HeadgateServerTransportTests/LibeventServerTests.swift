import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateOpenAPI
import HeadgateServerTransport
import HeadgateTesting
import Testing

/// Handlers over real sockets.
@Suite struct LibeventServerTests {
    private struct Broken: Error {}

    private static let plain: HTTPFields = [.contentType: "text/plain"]

    private func serve(
        _ routes: [Route], bodyLimit: Int = 16 << 20,
        onError: @escaping @Sendable (any Error, String) -> Void = { _, _ in },
        _ body: @Sendable (TestClient, UInt16) async throws -> Void
    ) async throws {
        let configure: (inout LibeventServer.Options) -> Void = { $0.bodyLimit = bodyLimit }
        try await ServedHandlers.run(routes, configure: configure, onError: onError) { served in
            try await body(served.client, served.port)
        }
    }

    @Test func handlerGetsTheRequestAndItsPath() async throws {
        let handler: OperationHandler = { request, _, metadata in
            let input = IncomingRequest(request, nil, metadata)
            let (id, page): (String, Int?) = (try input.path("id"), try input.query("page"))
            let text = "\(id) \(page ?? 0) \(request.headerFields[.userAgent] ?? "")"
            return (HTTPResponse(status: .ok, headerFields: Self.plain), .bytes(Array(text.utf8)))
        }
        try await serve([(.get, "/users/{id}", handler)]) { client, port in
            let response = try await client.request(
                "GET", "/users/a%2Fb?page=3", headers: ["User-Agent": "test"], port: port)
            #expect(response.status == 200)
            #expect(response.text == "a/b 3 test")
            #expect(try await client.request("GET", "/users/1?page=x", port: port).status == 400)
            #expect(try await client.request("GET", "/users", port: port).status == 404)
            let refused = try await client.request("DELETE", "/users/1", port: port)
            #expect(refused.status == 405)
            #expect(refused.headers["Allow"] == "GET, HEAD")
            let head = try await client.request("HEAD", "/users/1", port: port)
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
        }
    }

    @Test func bodiesStreamThroughAHandler() async throws {
        let echo: OperationHandler = { _, body, _ in (HTTPResponse(status: .ok, headerFields: Self.plain), body) }
        try await serve([(.post, "/echo", echo)]) { client, port in
            let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            for sent in [large, [1, 2]] {
                let response = try await client.request("POST", "/echo", body: sent, port: port)
                // The bytes are not compared as lists, because printing their difference would take minutes.
                let isWhole = response.body == sent
                #expect(isWhole, "\(response.status), \(response.body.count) octets")
            }
        }
    }

    @Test func sequenceIsSentAsItArrives() async throws {
        let (chunks, more) = AsyncStream<[UInt8]>.makeStream()
        let handler: OperationHandler = { _, _, _ in
            (HTTPResponse(status: .ok, headerFields: Self.plain), HTTPBody(chunks))
        }
        try await serve([(.get, "/", handler)]) { client, port in
            let stream = try await client.open("GET", "/", port: port)
            for text in ["first", "second"] {
                more.yield(Array(text.utf8))
                #expect(try await stream.nextChunk() == Array(text.utf8))
            }
            more.finish()
            #expect(try await stream.nextChunk() == nil)
        }
    }

    @Test func bodyReadInPartEndsWithTheResponse() async throws {
        let happened = Mailbox<String>()
        let handler: OperationHandler = { _, body, _ in
            guard case .stream(let source)? = body, let pieces = source as? any PulledBody else { throw Broken() }
            happened.post(String(decoding: try await pieces.next() ?? [], as: UTF8.self))
            Task {
                do {
                    _ = try await pieces.next()
                    happened.post("more")
                } catch {
                    happened.post("ended")
                }
            }
            return (HTTPResponse(status: .ok, headerFields: Self.plain), .bytes([1]))
        }
        try await serve([(.post, "/", handler)]) { client, port in
            let request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nab"
            let connection = try await client.raw(port: port, request)
            defer { connection.close() }
            #expect(try await happened.next(timeout: .seconds(120), "the first piece") == "ab")
            #expect(try await happened.next(timeout: .seconds(120), "the end of the wait") == "ended")
        }
    }

    @Test func everyResponseOfARouteHasItsOwnHead() async throws {
        let handler: OperationHandler = { request, _, _ in
            let asked = request.path ?? ""
            var response = HTTPResponse(status: asked.hasSuffix("1") ? .ok : .accepted)
            response.headerFields[.eTag] = asked
            return (response, HTTPBody(asked))
        }
        try await ServedHandlers.run([(.get, "/", handler)]) { served in
            for target in ["/?1", "/?1", "/?2", "/?21", "/?1", "/?2"] {
                let response = try await served.client.request("GET", target, port: served.port)
                #expect(response.status == (target.hasSuffix("1") ? 200 : 202) && response.text == target)
                #expect(response.headers["ETag"] == target && response.headers.values(of: "Content-Length").count == 1)
            }
        }
    }

    @Test func serverFramesAHandlersResponse() async throws {
        let fields: HTTPFields = [
            .contentLength: "2", .transferEncoding: "chunked", .connection: "close", .contentType: "text/plain",
        ]
        let handlers: [Route] = [
            (.get, "/whole", { _, _, _ in (HTTPResponse(status: .ok, headerFields: fields), .bytes([1, 2, 3])) }),
            (
                .get, "/stream",
                { _, _, _ in
                    (HTTPResponse(status: .ok, headerFields: fields), HTTPBody(AsyncStream<[UInt8]> { $0.finish() }))
                }
            ),
            (
                .get, "/none",
                { _, _, _ in
                    let chunks = AsyncStream<[UInt8]> { more in
                        more.yield([1])
                        more.finish()
                    }
                    return (HTTPResponse(status: .noContent, headerFields: fields), HTTPBody(chunks))
                }
            ),
            (.get, "/interim", { _, _, _ in (HTTPResponse(status: .init(code: 103)), nil) }),
        ]
        try await serve(handlers) { client, port in
            let whole = try await client.request("GET", "/whole", port: port)
            #expect(whole.headers.values(of: "Content-Length") == ["3"])
            #expect(whole.headers.values(of: "Transfer-Encoding").isEmpty)
            #expect(whole.headers.values(of: "Connection").isEmpty)
            #expect(whole.headers["Content-Type"] == "text/plain")
            #expect(whole.body == [1, 2, 3])
            let stream = try await client.request("GET", "/stream", port: port)
            #expect(stream.headers.values(of: "Content-Length").isEmpty)
            #expect(stream.headers.values(of: "Transfer-Encoding") == ["chunked"])
            #expect(stream.body.isEmpty)
            let none = try await client.request("GET", "/none", port: port)
            #expect(none.status == 204)
            #expect(none.headers.values(of: "Content-Length").isEmpty)
            #expect(none.headers.values(of: "Transfer-Encoding").isEmpty)
            #expect(none.body.isEmpty)
            #expect(try await client.request("GET", "/interim", port: port).status == 500)
        }
    }

    @Test func disconnectCancelsTheHandler() async throws {
        let happened = Mailbox<String>()
        let handler: OperationHandler = { _, _, _ in
            happened.post("begun")
            do { try await Task.sleep(for: .seconds(3600)) } catch { happened.post("cancelled") }
            throw CancellationError()
        }
        try await serve([(.get, "/", handler)]) { client, port in
            let connection = try await client.raw(port: port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await happened.next(timeout: .seconds(120), "the handler") == "begun")
            connection.close()
            #expect(try await happened.next(timeout: .seconds(120), "its end") == "cancelled")
        }
    }

    @Test func disconnectEndsTheSequence() async throws {
        let happened = Mailbox<String>()
        let (chunks, more) = AsyncStream<[UInt8]>.makeStream()
        more.onTermination = { _ in happened.post("ended") }
        let handler: OperationHandler = { _, _, _ in
            (HTTPResponse(status: .ok, headerFields: Self.plain), HTTPBody(chunks))
        }
        try await serve([(.get, "/", handler)]) { client, port in
            let stream = try await client.open("GET", "/", port: port)
            more.yield([1])
            #expect(try await stream.nextChunk() == [1])
            stream.close()
            #expect(try await happened.next(timeout: .seconds(120), "the sequence's end") == "ended")
        }
    }

    @Test func errorsBecomeTheirStatus() async throws {
        let reported = Mailbox<String>()
        let handlers: [Route] = [
            (.get, "/missing", { _, _, _ in throw UnimplementedOperation(operationID: "x") }),
            (.get, "/broken", { _, _, _ in throw Broken() }),
            (
                .get, "/wrapped",
                { request, _, _ in
                    throw ServerError(
                        operationID: "x", request: request, underlyingError: RequestViolation.missingBody)
                }
            ),
            (
                .post, "/json",
                { request, body, metadata in
                    let value: [Int] = try await IncomingRequest(request, body, metadata).json()
                    return (HTTPResponse(status: .ok), .bytes(value.map(UInt8.init)))
                }
            ),
        ]
        let report: @Sendable (any Error, String) -> Void = { reported.post("\($1): \($0)") }
        try await serve(handlers, bodyLimit: 100, onError: report) { client, port in
            #expect(try await client.request("GET", "/missing", port: port).status == 501)
            let broken = try await client.request("GET", "/broken", port: port)
            #expect(broken.status == 500)
            #expect(!broken.text.contains("Broken"))
            #expect(try await reported.next(timeout: .seconds(120), "the report") == "GET /broken: Broken()")
            // The error is wrapped, as middleware passes it on.
            #expect(try await client.request("GET", "/wrapped", port: port).status == 400)
            #expect(try await client.post("/json", json: "[1,2]", port: port).body == [1, 2])
            #expect(try await client.post("/json", json: "{}", port: port).status == 400)
            #expect(try await client.request("POST", "/json", body: [0x5B, 0x5D], port: port).status == 415)
            let large = "[" + String(repeating: "1,", count: 100) + "1]"
            #expect(try await client.post("/json", json: large, port: port).status == 413)
        }
    }

    @Test func routesAreRegisteredBeforeTheStart() async throws {
        let server = LibeventServer()
        _ = try server.start(on: .tcp(ip: "127.0.0.1", port: 0))
        #expect(throws: LibeventServer.RouteError.self) {
            try server.register(
                { _, _, _ in (HTTPResponse(status: .ok), nil) }, method: .get, path: "/", operationID: "late")
        }
        #expect(throws: LibeventServer.StartFailure.self) { _ = try server.start(on: .tcp(ip: "127.0.0.1", port: 0)) }
        await server.shutDown()
    }

    @Test func unavailableAddressIsNamed() {
        #expect(throws: LibeventServer.StartFailure.self) {
            _ = try LibeventServer().start(on: .tcp(ip: "203.0.113.1", port: 1))
        }
    }
}
