import HeadgateOpenAPI

/// Records when a request and its response pass, which shows the order of the chain.
nonisolated struct StepMiddleware: ClientMiddleware {
    let name: String
    let journal: Journal

    nonisolated(nonsending) func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        await journal.note("\(name) >")
        let response = try await next(request, body, baseURL)
        await journal.note("< \(name)")
        return response
    }
}
