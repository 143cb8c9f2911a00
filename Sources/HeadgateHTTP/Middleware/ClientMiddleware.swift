package import HTTPTypes

/// The rest of an upstream's chain; the transport is last.
package typealias ClientSend = @Sendable (HTTPRequest, HTTPBody?, BaseURL) async throws -> (HTTPResponse, HTTPBody?)

/// One concern around every request to an upstream, in the shape of Swift OpenAPI Generator's middleware.
package protocol ClientMiddleware: Sendable {
    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?)
}

/// Sends requests to one upstream.
package protocol ClientTransport: Sendable {
    /// - Returns: the final head, and the body as it comes.
    /// - Throws: ``TransportError``. Cancelling the task closes the connection.
    func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?)
}

extension ClientTransport {
    /// Folds middleware around this transport, outermost first.
    package func wrapped(in middlewares: [any ClientMiddleware], operationID: String) -> ClientSend {
        let transport: ClientSend = { request, body, baseURL in
            try await send(request, body: body, baseURL: baseURL, operationID: operationID)
        }
        return middlewares.reversed().reduce(transport) { next, middleware in
            { request, body, baseURL in
                try await middleware.intercept(
                    request, body: body, baseURL: baseURL, operationID: operationID, next: next)
            }
        }
    }
}
