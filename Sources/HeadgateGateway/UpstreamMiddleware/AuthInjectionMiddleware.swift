internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

/// Puts the real key on a request. What the client sent as its own never comes this far: upstream requests are built anew.
struct AuthInjectionMiddleware: ClientMiddleware {
    let credential: Secret?

    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        guard let credential else { return try await next(request, body, baseURL) }
        var request = request
        request.headerFields[.authorization] = "Bearer \(credential.reveal())"
        return try await next(request, body, baseURL)
    }
}
