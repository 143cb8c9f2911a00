import Foundation
import HTTPTypes
import HeadgateRuntimeTransport
import OpenAPIRuntime

/// Uses the transports as generated code does: registers a handler, and calls it.
@main
enum RuntimeGreeting {
    static func main() async throws {
        let server = LibeventServer()
        let routes: any ServerTransport = RuntimeServerTransport(server)
        try routes.register(greet, method: .post, path: "/api/greet/{name}")
        guard case .tcp(_, let port)? = try server.start(on: .tcp(ip: "127.0.0.1", port: 0)).first else { return }
        let libevent = try LibeventTransport()
        let transport: any ClientTransport = RuntimeClientTransport(libevent)

        let request = HTTPRequest(
            method: .post, scheme: nil, authority: nil, path: "/greet/Ada%20L.",
            headerFields: [.contentType: "text/plain"])
        guard let url = URL(string: "http://127.0.0.1:\(port)/api") else { return }
        for size in [3, 300_000] {
            let body = HTTPBody([UInt8](repeating: 0x61, count: size))
            let (response, answer) = try await transport.send(
                request, body: body, baseURL: url, operationID: "greet")
            var text = ""
            if let answer { for try await chunk in answer { text += String(decoding: chunk, as: UTF8.self) } }
            print(response.status.code, text)
        }
        libevent.shutDown()
        await server.shutDown()
    }

    @Sendable private static func greet(
        _ request: HTTPRequest, _ body: HTTPBody?, _ metadata: ServerRequestMetadata
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var count = 0
        if let body { for try await chunk in body { count += chunk.count } }
        let name = metadata.pathParameters["name"]?.removingPercentEncoding ?? "stranger"
        let pieces = AsyncStream<ArraySlice<UInt8>> { stream in
            for piece in ["Hello, ", "\(name)! ", "\(count) bytes."] { stream.yield(ArraySlice(piece.utf8)) }
            stream.finish()
        }
        return (HTTPResponse(status: .ok), HTTPBody(pieces, length: .unknown, iterationBehavior: .single))
    }
}
