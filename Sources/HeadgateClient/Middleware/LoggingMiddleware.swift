public import HTTPTypes
public import HeadgateHTTP

/// Tells of every request how it ended, once its response has been read or given up.
///
/// ```swift
/// LoggingMiddleware { record in print(record) }
/// ```
///
/// A record holds no key, no query and no content, and may go into any log.
public struct LoggingMiddleware: ClientMiddleware {
    private let log: @Sendable (ExchangeRecord) -> Void

    /// - Parameter log: called once for each request, in whatever task reads the response.
    public init(_ log: @escaping @Sendable (ExchangeRecord) -> Void) { self.log = log }

    /// Sends the request on, and watches its response.
    ///
    /// - Throws: errors of the rest of the chain.
    public func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        try await ExchangeObservation.run(
            request, body: body, baseURL: baseURL, operationID: operationID, next: next, report: log)
    }
}
