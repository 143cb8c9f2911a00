/// The rest of a server's chain, for async middleware.
package typealias ServerHandler =
    @Sendable (RequestHead, HTTPBody?, ServerRequestMetadata) async throws -> ServerResponse

/// One concern around every operation of the server, in the shape of Swift OpenAPI Generator's middleware.
package protocol ServerMiddleware: Sendable {
    func intercept(
        _ request: RequestHead, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
        next: ServerHandler
    ) async throws -> ServerResponse
}

/// Middleware that only looks at a request's head: it notes something, or throws. Needs no task.
package protocol ServerGate: ServerMiddleware {
    func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws
}

extension ServerGate {
    package func intercept(
        _ request: RequestHead, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
        next: ServerHandler
    ) async throws -> ServerResponse {
        try admit(request, metadata: metadata, operationID: operationID)
        return try await next(request, body, metadata)
    }
}
