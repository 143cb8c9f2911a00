/// Middleware around the operations of a server, in the form of Swift OpenAPI Generator's middleware.
public protocol ServerMiddleware: Sendable {
    /// Runs before and after the operation. `next` is the rest of the chain, which ends at the handler. If it is not
    /// called, the operation does not run.
    ///
    /// - Throws: An error, which becomes an error response.
    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
        next: OperationHandler
    ) async throws -> (HTTPResponse, HTTPBody?)
}
