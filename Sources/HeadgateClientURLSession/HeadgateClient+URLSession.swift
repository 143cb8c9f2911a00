// Apps need to import only this module.
@_exported public import HeadgateClient
public import HeadgateHTTP

extension HeadgateClient {
    /// Creates a client of one server that sends its requests by URLSession.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL as SDKs take it, such as `http://127.0.0.1:8686/v1`; `/v1` is added to a URL without a
    ///     path.
    ///   - apiKey: A gateway key; nil for a gateway without keys.
    ///   - middlewares: The middlewares, outermost first.
    /// - Throws: ``HeadgateClientError/invalidURL(_:reason:)``.
    public init(
        baseURL: String = localBaseURL, apiKey: String? = nil, middlewares: [any ClientMiddleware] = []
    ) throws {
        try self.init(
            baseURL: baseURL, apiKey: apiKey, transport: URLSessionTransport(), middlewares: middlewares)
    }

    /// Creates a client of one server that sends its requests by URLSession, and looks up its key for each request, for
    /// example in a keychain.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL as SDKs take it; `/v1` is added to a URL without a path.
    ///   - apiKey: Returns the key, or nil for none. A request throws the errors of this function.
    ///   - middlewares: The middlewares, outermost first.
    /// - Throws: ``HeadgateClientError/invalidURL(_:reason:)``.
    public init(
        baseURL: String = localBaseURL, apiKey: @escaping APIKeyProvider, middlewares: [any ClientMiddleware] = []
    ) throws {
        try self.init(
            baseURL: baseURL, apiKey: apiKey, transport: URLSessionTransport(), middlewares: middlewares)
    }
}
