import HTTPTypes
import HeadgateClientTransport
import HeadgateHTTP
import HeadgateOpenAPI
import HeadgateServerTransport
import Testing

/// The client transport of programs, against the server.
@Suite struct LibeventTransportTests {
    private func send(_ bytes: [UInt8], to port: UInt16, by transport: LibeventTransport) async throws -> [UInt8] {
        let base = BaseURL(endpoint: .tcp(host: "127.0.0.1", port: port), pathPrefix: "")
        let request = HTTPRequest(method: .post, scheme: nil, authority: base.authority, path: "/echo")
        let (response, body) = try await transport.send(
            request, body: .bytes(bytes), baseURL: base, operationID: "echo")
        #expect(response.status == .ok)
        return try await body?.collect(upTo: 2 << 20) ?? []
    }

    @Test func bodiesGoBothWaysOverReusedConnections() async throws {
        let echo: OperationHandler = { _, body, _ in (HTTPResponse(status: .ok), body) }
        try await ServedHandlers.run([(.post, "/echo", echo)]) { served in
            let transport = try LibeventTransport()
            defer { transport.shutDown() }
            for bytes in [[1, 2, 3], [UInt8](repeating: 7, count: 1 << 20), [4]] {
                let isWhole = try await send(bytes, to: served.port, by: transport) == bytes
                #expect(isWhole)
            }
        }
    }

    @Test func missingServerIsAnError() async throws {
        let transport = try LibeventTransport()
        defer { transport.shutDown() }
        let error = await #expect(throws: TransportError.self) {
            // No program listens on this port.
            _ = try await send([], to: 1, by: transport)
        }
        #expect(error?.kind == .connect)
    }
}
