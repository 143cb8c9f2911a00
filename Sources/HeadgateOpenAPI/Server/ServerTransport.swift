/// Responds to the requests of one operation.
public typealias OperationHandler =
    @Sendable (HTTPRequest, HTTPBody?, ServerRequestMetadata) async throws -> (HTTPResponse, HTTPBody?)

/// Registers the handlers of a generated `APIProtocol`. A conforming server finds the handler of a request and runs it.
public protocol ServerTransport {
    /// Registers a handler. Called once for each path of an operation, which is a template such as
    /// `/v1/models/{model}`.
    ///
    /// - Throws: An error if the route is not possible.
    func register(
        _ handler: @escaping OperationHandler, method: HTTPRequest.Method, path: String, operationID: String
    ) throws
}

extension ServerTransport {
    /// Registers the handler of an operation. Generated code calls this.
    ///
    /// - Parameters:
    ///   - operation: Description of the operation in the document.
    ///   - serverURL: URL whose path is the prefix of the route; nil for none.
    ///   - configuration: Configuration of how values are read and written; nil for the default one.
    ///   - middlewares: Middleware around the handler, outermost first. It receives the handler's errors as
    ///     ``ServerError``.
    ///   - handler: Runs the operation.
    /// - Throws: An error if the route is not possible.
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

/// The request of an operation, as the server received it.
package struct ServerExchange {
    package let request: HTTPRequest
    package let metadata: ServerRequestMetadata

    package init(request: HTTPRequest, metadata: ServerRequestMetadata) {
        self.request = request
        self.metadata = metadata
    }
}
