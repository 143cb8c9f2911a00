public import HTTPTypes

/// The rest of an upstream's chain; the transport is last.
public typealias ClientSend = @Sendable (HTTPRequest, HTTPBody?, BaseURL) async throws -> (HTTPResponse, HTTPBody?)

/// One concern around every request to an upstream, in the shape of Swift OpenAPI Generator's middleware.
public protocol ClientMiddleware: Sendable {
    /// - Parameter next: the rest of the chain, which ends at the transport. Not called, nothing is sent; called again,
    ///   the request is.
    /// - Throws: whatever it likes, which reaches who has sent the request; and what the rest of the chain throws.
    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?)
}

/// Sends requests to one upstream.
public protocol ClientTransport: Sendable {
    /// - Returns: the final head, and the body as it comes.
    /// - Throws: ``TransportError``. Cancelling the task closes the connection.
    func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?)
}

extension ClientTransport {
    /// Folds middleware around this transport, outermost first. Request editors that stand together become one step.
    public func wrapped(in middlewares: [any ClientMiddleware], operationID: String) -> ClientSend {
        var folded: ClientSend = { request, body, baseURL in
            try await send(request, body: body, baseURL: baseURL, operationID: operationID)
        }
        var rest = middlewares[...]
        while let middleware = rest.popLast() {
            let next = folded
            guard let editor = middleware as? any ClientRequestEditor else {
                folded = { request, body, baseURL in
                    try await middleware.intercept(
                        request, body: body, baseURL: baseURL, operationID: operationID, next: next)
                }
                continue
            }
            var editors = [editor]
            while let before = rest.last as? any ClientRequestEditor {
                rest.removeLast()
                editors.insert(before, at: 0)
            }
            let all = editors
            folded = { (request, body, baseURL) async throws -> (HTTPResponse, HTTPBody?) in
                var request = request
                for editor in all { editor.edit(&request) }
                return try await next(request, body, baseURL)
            }
        }
        return folded
    }
}

/// Middleware that only changes a request's head. Costs no step of the task.
public protocol ClientRequestEditor: ClientMiddleware {
    /// Changes the request before it goes on.
    func edit(_ request: inout HTTPRequest)
}

extension ClientRequestEditor {
    /// Edits the request and sends it on.
    ///
    /// - Throws: what the rest of the chain throws.
    public func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var request = request
        edit(&request)
        return try await next(request, body, baseURL)
    }
}
