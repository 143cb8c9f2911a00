import HTTPTypes
import HeadgateAPI
import HeadgateContract
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives

/// A server without sockets, which is also the transport of its client.
final class InMemoryServer: ServerTransport, ClientTransport {
    struct Registration: Sendable {
        let method: HTTPRequest.Method
        let path: String
        let operationID: String
        let handler: OperationHandler
    }

    private let routes = Locked<[Registration]>([])
    private let requests = Locked<[HTTPRequest]>([])

    init(_ gateway: some APIProtocol) throws { try gateway.registerHandlers(on: self) }

    var registrations: [Registration] { routes.withLock { $0 } }
    /// Requests of all clients so far.
    var received: [HTTPRequest] { requests.withLock { $0 } }

    func register(
        _ handler: @escaping OperationHandler, method: HTTPRequest.Method, path: String, operationID: String
    ) {
        let registration = Registration(method: method, path: path, operationID: operationID, handler: handler)
        routes.withLock { $0.append(registration) }
    }

    func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        requests.withLock { $0.append(request) }
        return try await answer(request, body)
    }

    /// Responds with the first route that matches.
    func answer(_ request: HTTPRequest, _ body: HTTPBody? = nil) async throws -> (HTTPResponse, HTTPBody?) {
        let path = (request.path ?? "").prefix { $0 != "?" }
        for route in registrations where route.method == request.method {
            guard let parameters = InMemoryServer.match(String(path), route.path) else { continue }
            let ends = ConnectionEnds(localAddress: "127.0.0.1", localPort: 1, remoteAddress: "127.0.0.1")
            let metadata = ServerRequestMetadata(connection: ends, bodyLength: .fixed(0), context: NoContext())
            metadata.pathParameters = parameters
            return try await route.handler(request, body, metadata)
        }
        return (HTTPResponse(status: .notFound), nil)
    }

    private static func match(_ path: String, _ template: String) -> [String: String]? {
        guard let opening = template.firstIndex(of: "{"), let closing = template.firstIndex(of: "}") else {
            return path == template ? [:] : nil
        }
        let prefix = template[..<opening]
        let suffix = template[closing...].dropFirst()
        guard path.hasPrefix(prefix), path.hasSuffix(suffix), path.count > prefix.count + suffix.count else {
            return nil
        }
        let name = String(template[opening..<closing].dropFirst())
        return [name: String(path.dropFirst(prefix.count).dropLast(suffix.count))]
    }
}

private final class NoContext: RequestContext {
    let requestID = ""

    func decide(_: RequestEnd) {}
    func complete(_: RequestEnd, bytesReceived _: Int, bytesSent _: Int, maximumQueuedBytes _: Int) {}
}
