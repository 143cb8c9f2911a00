internal import HTTPTypes
internal import HeadgateHTTP

/// Turns an answer that says the request failed into a typed error, before anybody reads its body as the answer.
struct StatusCheck: ClientMiddleware {
    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let (response, body) = try await next(request, body, baseURL)
        try await StatusCheck.check(response, body)
        return (response, body)
    }

    /// - Throws: ``HeadgateClientError/status(_:)`` for any status but 2xx.
    static func check(_ response: HTTPResponse, _ body: HTTPBody?) async throws {
        guard response.status.kind != .successful else { return }
        // An error whose body is too long or broken off is still the error that its status says.
        let bytes = try? await BodyReader.collect(body, upTo: StatusFailure.bodyLimit)
        // But who has given up is not told about errors.
        try Task.checkCancellation()
        throw HeadgateClientError.status(StatusFailure(response, body: bytes ?? []))
    }
}
