/// Error of a handler, as the surrounding middleware receives it.
public struct ServerError: Error, CustomStringConvertible {
    /// Id of the operation.
    public var operationID: String
    public var request: HTTPRequest
    /// Error of the handler, or ``RequestViolation`` for a request that violates the document.
    public var underlyingError: any Error

    public init(operationID: String, request: HTTPRequest, underlyingError: any Error) {
        self.operationID = operationID
        self.request = request
        self.underlyingError = underlyingError
    }

    public var description: String { "'\(operationID)': \(underlyingError)" }
}

/// An error that can be sent as a response.
public protocol HTTPResponseConvertible {
    var httpStatus: HTTPResponse.Status { get }
    /// Headers of the response; none by default.
    var httpHeaderFields: HTTPFields { get }
    /// Body of the response; none by default.
    var httpBody: HTTPBody? { get }
}

extension HTTPResponseConvertible {
    public var httpHeaderFields: HTTPFields { [:] }
    public var httpBody: HTTPBody? { nil }
}

/// Converts errors that can be sent as responses (``HTTPResponseConvertible``), and rethrows all others.
public struct ErrorHandlingMiddleware: ServerMiddleware {
    public init() {}

    /// Runs the operation, and returns its response or that of its error.
    ///
    /// - Throws: Errors of the rest of the chain that cannot be sent as responses.
    public func intercept(
        _ request: HTTPRequest, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
        next: OperationHandler
    ) async throws -> (HTTPResponse, HTTPBody?) {
        do { return try await next(request, body, metadata) } catch {
            let thrown = (error as? ServerError)?.underlyingError ?? error
            guard let answer = thrown as? any HTTPResponseConvertible else { throw error }
            return (HTTPResponse(status: answer.httpStatus, headerFields: answer.httpHeaderFields), answer.httpBody)
        }
    }
}
