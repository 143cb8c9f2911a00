/// Responds to the requests of one operation.
public typealias OperationHandler =
    @Sendable (HTTPRequest, HTTPBody?, ServerRequestMetadata) async throws -> (HTTPResponse, HTTPBody?)

/// Destination of the handlers of a generated `APIProtocol`. A conforming server finds the handler of a request and
/// runs it.
public protocol ServerTransport {
    /// Called once for each path of an operation, which is a template such as `/v1/models/{model}`.
    ///
    /// - Throws: when there cannot be such a route.
    func register(
        _ handler: @escaping OperationHandler, method: HTTPRequest.Method, path: String, operationID: String
    ) throws
}

extension ServerTransport {
    /// Registers the handler of an operation. Generated code calls this.
    ///
    /// - Parameters:
    ///   - operation: what the document says of it.
    ///   - serverURL: whose path the route begins with.
    ///   - configuration: how values are read and written.
    ///   - middlewares: around the handler, outermost first. They see its errors as ``ServerError``.
    ///   - handler: runs the operation.
    /// - Throws: when there cannot be such a route.
    public func register(
        _ operation: APIOperation, serverURL: BaseURL?, configuration: Configuration?,
        middlewares: [any ServerMiddleware], _ handler: @escaping OperationHandler
    ) throws {
        var handler = handler
        if let configuration {
            let next = handler
            handler = { request, body, metadata in
                try await configuration.applied { try await next(request, body, metadata) }
            }
        }
        if !middlewares.isEmpty {
            let next = handler
            handler = { request, body, metadata in
                do { return try await next(request, body, metadata) } catch {
                    throw ServerError(operationID: operation.id, request: request, underlyingError: error)
                }
            }
        }
        for middleware in middlewares.reversed() {
            let next = handler
            handler = { request, body, metadata in
                try await middleware.intercept(
                    request, body: body, metadata: metadata, operationID: operation.id, next: next)
            }
        }
        try register(
            handler, method: operation.method, path: (serverURL?.pathPrefix ?? "") + operation.path,
            operationID: operation.id)
    }
}

/// The request that an operation answers, as the server received it.
package struct ServerExchange {
    package let request: HTTPRequest
    package let metadata: ServerRequestMetadata

    package init(request: HTTPRequest, metadata: ServerRequestMetadata) {
        self.request = request
        self.metadata = metadata
    }
}
