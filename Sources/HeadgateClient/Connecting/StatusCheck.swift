internal import HTTPTypes
internal import HeadgateHTTP

/// Turns an error response into a typed error.
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
        // An error whose body is too long or incomplete is still the error that its status indicates.
        let bytes = try? await BodyReader.collect(body, upTo: StatusFailure.bodyLimit)
        // A canceled task throws `CancellationError` instead of the response's error.
        try Task.checkCancellation()
        throw HeadgateClientError.status(StatusFailure(response, body: bytes ?? []))
    }
}
