// An app imports this module alone.
@_exported public import HeadgateClient
public import HeadgateHTTP

extension HeadgateClient {
    /// A client of one server, over URLSession.
    ///
    /// - Parameters:
    ///   - baseURL: what an SDK calls the base URL, such as `http://127.0.0.1:8686/v1`; `/v1` is added to one without
    ///     a path.
    ///   - apiKey: a gateway key; nil for a gateway without keys.
    ///   - middlewares: outermost first.
    /// - Throws: ``HeadgateClientError/invalidURL(_:reason:)``.
    public init(
        baseURL: String = localBaseURL, apiKey: String? = nil, middlewares: [any ClientMiddleware] = []
    ) throws {
        try self.init(
            baseURL: baseURL, apiKey: apiKey, transport: URLSessionTransport(), middlewares: middlewares)
    }

    /// A client of one server, over URLSession, whose key is looked up for each request, such as in a keychain.
    ///
    /// - Parameters:
    ///   - baseURL: what an SDK calls the base URL; `/v1` is added to one without a path.
    ///   - apiKey: gives the key, or nil for none. What it throws, the request throws.
    ///   - middlewares: outermost first.
    /// - Throws: ``HeadgateClientError/invalidURL(_:reason:)``.
    public init(
        baseURL: String = localBaseURL, apiKey: @escaping APIKeyProvider, middlewares: [any ClientMiddleware] = []
    ) throws {
        try self.init(
            baseURL: baseURL, apiKey: apiKey, transport: URLSessionTransport(), middlewares: middlewares)
    }
}
