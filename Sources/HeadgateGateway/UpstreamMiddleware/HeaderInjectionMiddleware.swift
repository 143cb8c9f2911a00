internal import HTTPTypes
internal import HeadgateHTTP

/// Puts the client headers on a request. Which, and with what values, is the factory's business.
struct HeaderInjectionMiddleware: ClientMiddleware {
    let fields: HTTPFields

    init(factory: HeaderFactory) { fields = factory.makeFields() }

    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var request = request
        for field in fields { request.headerFields[field.name] = field.value }
        return try await next(request, body, baseURL)
    }
}
