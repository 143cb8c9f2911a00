/// The rest of a server's chain.
package typealias ServerHandler =
    @Sendable (RequestHead, HTTPBody?, ServerRequestMetadata) async throws -> Reply

/// One concern around every operation of the server, in the shape of Swift OpenAPI Generator's middleware.
package protocol ServerMiddleware: Sendable {
    func intercept(
        _ request: RequestHead, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
        next: ServerHandler
    ) async throws -> Reply
}

/// An ordered list of middleware, outermost first.
package struct ServerMiddlewareChain: Sendable {
    private var middlewares: [any ServerMiddleware]

    package init(_ middlewares: [any ServerMiddleware] = []) { self.middlewares = middlewares }

    package func appending(_ more: any ServerMiddleware...) -> ServerMiddlewareChain {
        ServerMiddlewareChain(middlewares + more)
    }

    /// Folds the chain around a handler, once per route. Gates that stand together become one step.
    package func handler(operationID: String, endingAt handler: @escaping ServerHandler) -> ServerHandler {
        var folded = handler
        var rest = middlewares[...]
        while let middleware = rest.popLast() {
            let next = folded
            guard let gate = middleware as? any ServerGate else {
                folded = { request, body, metadata in
                    try await middleware.intercept(
                        request, body: body, metadata: metadata, operationID: operationID, next: next)
                }
                continue
            }
            var gates = [gate]
            while let before = rest.last as? any ServerGate {
                rest.removeLast()
                gates.insert(before, at: 0)
            }
            let all = gates
            folded = { (request, body, metadata) async throws -> Reply in
                for gate in all { try gate.admit(request, metadata: metadata, operationID: operationID) }
                return try await next(request, body, metadata)
            }
        }
        return folded
    }
}

/// Middleware that only looks at a request's head: it notes something, or throws. Costs no step of the task.
package protocol ServerGate: ServerMiddleware {
    func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws
}

extension ServerGate {
    package func intercept(
        _ request: RequestHead, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
        next: ServerHandler
    ) async throws -> Reply {
        try admit(request, metadata: metadata, operationID: operationID)
        return try await next(request, body, metadata)
    }
}
