/// One concern around the operations of a server, in the shape of Swift OpenAPI Generator's middleware.
public protocol ServerMiddleware: Sendable {
    /// Runs before the operation and after it: `next` is the rest of the chain, which ends at the handler. If it is not
    /// called, the operation does not run.
    ///
    /// - Throws: what becomes the response of an error.
    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
        next: OperationHandler
    ) async throws -> (HTTPResponse, HTTPBody?)
}
