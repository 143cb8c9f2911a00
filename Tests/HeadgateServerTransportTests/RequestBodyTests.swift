import HTTPTypes
import HeadgateHTTP
import HeadgateOpenAPI
import HeadgateServerTransport
import HeadgateTesting
import Testing

/// Limits and deadlines of request bodies at a server.
@Suite struct RequestBodyTests {
    private static func head(_ length: Int) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: \(length)\r\n\r\n"
    }

    /// A handler that collects a body, reports its size, and responds when the test releases it.
    private struct Collecting: Sendable {
        let collected = Mailbox<Int>()
        let answers = Mailbox<Void>()

        var route: Route {
            (
                .post, "/",
                { _, body, _ in
                    let bytes = try await body?.collect(upTo: .max) ?? []
                    collected.post(bytes.count)
                    _ = try await answers.next(timeout: .seconds(600), "leave to answer")
                    return (HTTPResponse(status: .ok), nil)
                }
            )
        }
    }

    @Test func handlerCanReadABodyPieceByPiece() async throws {
        let handler: OperationHandler = { _, body, _ in
            var (pieces, octets) = (0, 0)
            if let body {
                for try await piece in body {
                    (pieces, octets) = (pieces + 1, octets + piece.count)
                    #expect(!piece.isEmpty)
                }
            }
            return (HTTPResponse(status: .ok), HTTPBody("\(octets) in \(pieces > 1 ? "pieces" : "one")"))
        }
        try await ServedHandlers.run([(.post, "/", handler)]) { served in
            for (count, expected) in [(500_000, "500000 in pieces"), (10, "10 in one")] {
                let body = [UInt8](repeating: 0x30, count: count)
                let response = try await served.client.request("POST", "/", body: body, port: served.port)
                #expect(response.text == expected)
            }
        }
    }

    @Test(arguments: [true, false]) func bodiesOfAllRequestsTogetherAreBounded(_ isDeclared: Bool) async throws {
        let handler = Collecting()
        let configure: (inout LibeventServer.Options) -> Void = { $0.bodyMemory = 300_000 }
        try await ServedHandlers.run([handler.route], configure: configure) { served in
            let body = [UInt8](repeating: 0x30, count: 200_000)
            async let first = served.client.request("POST", "/", body: body, port: served.port)
            #expect(try await handler.collected.next(timeout: .seconds(600), "the first body") == body.count)

            let second = try await served.client.connect(port: served.port)
            if isDeclared {
                second.send(Self.head(body.count))
            } else {
                second.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n30d40\r\n")
                // The bytes exceed the limit by so little that the rest does not count as a flood.
                second.send(Array(body[..<120_000]))
            }
            let refused = try await second.readText()
            #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.hasSuffix("try again later.\n"))
            second.close()

            handler.answers.post(())
            let status = try await first.status
            #expect(status == 200)
            // The request is admitted as soon as the first one has released its memory.
            try await until {
                handler.answers.post(())
                return try await served.client.request("POST", "/", body: body, port: served.port).status == 200
            }
        }
    }

    @Test(arguments: [(100, 1000), (1000, 100), (100, Int.max)])
    func bodyAboveTheMemoryIsTooLarge(_ bodyLimit: Int, _ bodyMemory: Int) async throws {
        let handler = Collecting()
        let configure: (inout LibeventServer.Options) -> Void = {
            $0.bodyLimit = bodyLimit
            $0.bodyMemory = bodyMemory
        }
        try await ServedHandlers.run([handler.route], configure: configure) { served in
            let connection = try await served.client.raw(port: served.port, Self.head(2000))
            let refused = try await connection.readText()
            #expect(refused.hasPrefix("HTTP/1.1 413 "), "\(refused)")
            connection.close()
        }
    }

    @Test func piecewiseBodyIsNotBoundedByTheMemory() async throws {
        let count: OperationHandler = { _, body, _ in
            guard case .stream(let source)? = body, let pieces = source as? any PulledBody else {
                return (HTTPResponse(status: .badRequest), nil)
            }
            var count = 0
            while let piece = try await pieces.next() { count += piece.count }
            return (HTTPResponse(status: .ok), HTTPBody("\(count)"))
        }
        let configure: (inout LibeventServer.Options) -> Void = { $0.bodyMemory = 1000 }
        try await ServedHandlers.run([(.post, "/", count)], configure: configure) { served in
            let body = [UInt8](repeating: 0x30, count: 1_000_000)
            let text = try await served.client.request("POST", "/", body: body, port: served.port).text
            #expect(text == "1000000")
        }
    }

    @Test func lateBodyIsRefused() async throws {
        let handler = Collecting()
        let configure: (inout LibeventServer.Options) -> Void = { $0.bodyTimeout = .milliseconds(50) }
        try await ServedHandlers.run([handler.route], configure: configure) { served in
            let connection = try await served.client.raw(port: served.port, Self.head(100) + "ab")
            let refused = try await connection.readText()
            #expect(refused.contains("HTTP/1.1 408 "))
            connection.close()
        }
    }
}
