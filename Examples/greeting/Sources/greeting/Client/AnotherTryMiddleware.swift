import HeadgateOpenAPI

/// Sends a request again while the server fails.
nonisolated struct AnotherTryMiddleware: ClientMiddleware {
    /// Maximum number of attempts, including the first one.
    let tries: Int
    let journal: Journal

    nonisolated(nonsending) func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        for _ in 1..<tries {
            let response = try await next(request, body, baseURL)
            guard response.0.status.kind == .serverError else { return response }
            await journal.note("again")
        }
        return try await next(request, body, baseURL)
    }
}
