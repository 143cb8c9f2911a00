public import HTTPTypes
public import HeadgateHTTP

/// Reports the end of every request, once its response has been read or abandoned.
///
/// ```swift
/// LoggingMiddleware { record in print(record) }
/// ```
///
/// A record contains no key, no query and no content, so it is safe for any log.
public struct LoggingMiddleware: ClientMiddleware {
    private let log: @Sendable (ExchangeRecord) -> Void

    /// Creates the middleware.
    ///
    /// - Parameter log: Called once per request, in the task that reads the response.
    public init(_ log: @escaping @Sendable (ExchangeRecord) -> Void) { self.log = log }

    /// Sends the request on, and observes its response.
    ///
    /// - Throws: An error of the rest of the chain.
    public func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        try await ExchangeObservation.run(
            request, body: body, baseURL: baseURL, operationID: operationID, next: next, report: log)
    }
}
