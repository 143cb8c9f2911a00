internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Sends a request to the first of several servers that accepts a connection, with that server's address.
///
/// The request is passed to the next server only if it has certainly not been sent.
struct ServerChoice: ClientMiddleware {
    private let servers: [BaseURL]
    /// Index of the server that responded last, which is tried first next time.
    private let preferred = Locked(0)

    init(_ servers: [BaseURL]) { self.servers = servers }

    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        // The generated client wrote the first server's path prefix and its own `/v1` before the operation's path.
        let path = (request.path ?? "/").dropFirst(baseURL.pathPrefix.count + "/v1".count)
        let first = preferred.withLock { $0 }
        var failure: (any Error)?
        for step in servers.indices {
            let index = (first + step) % servers.count
            let server = servers[index]
            var request = request
            request.authority = server.authority
            request.path = server.pathPrefix + path
            do {
                let response = try await next(request, body, server)
                preferred.withLock { $0 = index }
                return response
            } catch let error as TransportError where ServerChoice.wasNotSent(error) {
                failure = error
            }
        }
        throw failure ?? TransportError(.connect, "no server")
    }

    private static func wasNotSent(_ error: TransportError) -> Bool {
        switch error.kind {
        case .connect, .unreachable, .connectTimeout, .tls, .notReady, .busy, .noKey, .unavailable: true
        default: false
        }
    }
}
