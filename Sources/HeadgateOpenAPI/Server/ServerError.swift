/// Error of a handler, as the middleware around it sees it.
public struct ServerError: Error, CustomStringConvertible {
    /// The operation's id.
    public var operationID: String
    public var request: HTTPRequest
    /// Error of the handler, or of a request that violates the document (``RequestViolation``).
    public var underlyingError: any Error

    public init(operationID: String, request: HTTPRequest, underlyingError: any Error) {
        self.operationID = operationID
        self.request = request
        self.underlyingError = underlyingError
    }

    public var description: String { "'\(operationID)': \(underlyingError)" }
}

/// An error that is a response.
public protocol HTTPResponseConvertible {
    var httpStatus: HTTPResponse.Status { get }
    /// None by default.
    var httpHeaderFields: HTTPFields { get }
    /// None by default.
    var httpBody: HTTPBody? { get }
}

extension HTTPResponseConvertible {
    public var httpHeaderFields: HTTPFields { [:] }
    public var httpBody: HTTPBody? { nil }
}

/// Responds with errors that are responses (``HTTPResponseConvertible``), and rethrows all others.
public struct ErrorHandlingMiddleware: ServerMiddleware {
    public init() {}

    /// - Throws: what the rest of the chain throws, unless it is a response.
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
