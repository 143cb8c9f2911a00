public import HeadgateClient
public import HeadgateHTTP

extension HeadgateClient {
    /// A client of one server, over URLSession.
    ///
    /// - Parameters:
    ///   - baseURL: what an SDK calls the base URL, such as `http://127.0.0.1:8686/v1`.
    ///   - apiKey: a gateway key; nil for a gateway without keys.
    ///   - middlewares: outermost first.
    /// - Throws: ``HeadgateClientError/invalidURL(_:reason:)``.
    public init(
        baseURL: String = localBaseURL, apiKey: String? = nil, middlewares: [any ClientMiddleware] = []
    ) throws {
        try self.init(
            baseURL: baseURL, apiKey: apiKey, transport: URLSessionTransport(), middlewares: middlewares)
    }
}
