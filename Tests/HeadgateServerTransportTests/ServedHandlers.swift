import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateOpenAPI
import HeadgateServerTransport
import HeadgateTesting

typealias Route = (method: HTTPRequest.Method, path: String, handler: OperationHandler)

/// Handlers on a server over real sockets, for one test.
struct ServedHandlers: Sendable {
    struct NoPort: Error {}

    let server: LibeventServer
    let client: TestClient
    let port: UInt16

    /// Runs the body, and then stops the server unless the body has done so. The server is also stopped if the body
    /// throws.
    static func run(
        _ routes: [Route], configure: (inout LibeventServer.Options) -> Void = { _ in },
        onError: @escaping @Sendable (any Error, String) -> Void = { _, _ in },
        _ body: @Sendable (ServedHandlers) async throws -> Void
    ) async throws {
        var options = LibeventServer.Options()
        options.loops = 2
        options.bodyLimit = 16 << 20
        options.drainTimeout = .zero
        // A busy machine can delay a test.
        options.headTimeout = .seconds(300)
        options.bodyTimeout = .seconds(300)
        options.writeTimeout = .seconds(300)
        options.handlerTimeout = .seconds(300)
        configure(&options)
        let server = LibeventServer(options, onError: onError)
        for route in routes {
            try server.register(
                route.handler, method: route.method, path: route.path, operationID: "\(route.method) \(route.path)")
        }
        guard case .tcp(_, let port) = try server.start(on: .tcp(ip: "127.0.0.1", port: 0))[0] else { throw NoPort() }
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let served = ServedHandlers(server: server, client: TestClient(group: group), port: port)
        let result: Result<Void, any Error>
        do { result = .success(try await body(served)) } catch { result = .failure(error) }
        await server.shutDown()
        try result.get()
    }
}
