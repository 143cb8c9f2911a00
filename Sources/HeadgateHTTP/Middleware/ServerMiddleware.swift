package import HTTPTypes

/// The rest of a server's chain.
package typealias ServerHandler =
    @Sendable (HTTPRequest, HTTPBody?, ServerRequestMetadata) async throws -> (HTTPResponse, HTTPBody?)

/// One concern around every operation of the server, in the shape of Swift OpenAPI Generator's middleware.
package protocol ServerMiddleware: Sendable {
    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
        next: ServerHandler
    ) async throws -> (HTTPResponse, HTTPBody?)
}

/// An ordered list of middleware, outermost first.
package struct ServerMiddlewareChain: Sendable {
    private var middlewares: [any ServerMiddleware]

    package init(_ middlewares: [any ServerMiddleware] = []) { self.middlewares = middlewares }

    package func appending(_ more: any ServerMiddleware...) -> ServerMiddlewareChain {
        ServerMiddlewareChain(middlewares + more)
    }

    /// Folds the chain around a handler, once per route.
    package func handler(operationID: String, endingAt handler: @escaping ServerHandler) -> ServerHandler {
        middlewares.reversed().reduce(handler) { next, middleware in
            { request, body, metadata in
                try await middleware.intercept(
                    request, body: body, metadata: metadata, operationID: operationID, next: next)
            }
        }
    }
}
