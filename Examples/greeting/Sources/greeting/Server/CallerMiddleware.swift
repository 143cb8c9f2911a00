import HeadgateOpenAPI

/// Records the caller: the headers that the client's header factory has set.
nonisolated struct CallerMiddleware: ServerMiddleware {
    let journal: Journal

    nonisolated(nonsending) func intercept(
        _ request: HTTPRequest, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
        next: OperationHandler
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let fields = ["App-OS", "Client-Id"].map { name in
            "\(name) \(HTTPField.Name(name).flatMap { request.headerFields[$0] } ?? "missing")"
        }
        await journal.note("\(operationID) by \(fields.joined(separator: ", "))")
        return try await next(request, body, metadata)
    }
}
