public import HTTPTypes

/// Rest of an upstream's chain, which ends at the transport.
public typealias ClientSend = @Sendable (HTTPRequest, HTTPBody?, BaseURL) async throws -> (HTTPResponse, HTTPBody?)

/// Middleware around every request to an upstream, in the form of Swift OpenAPI Generator's middleware.
///
/// A type implements one of the two functions: the one with a `BaseURL`, or the one with Foundation's `URL`, as code
/// for that generator has it (import HeadgateOpenAPI). The other one has a default implementation.
public protocol ClientMiddleware: Sendable {
    /// Type of the server's address in the method that a middleware implements.
    associatedtype ServerURL = BaseURL

    /// - Parameter next: the rest of the chain, which ends at the transport. Nothing is sent unless it is called; each
    ///   call sends the request.
    /// - Throws: any error, which reaches the sender of the request; and errors of the rest of the chain.
    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?)

    /// Intercepts a request with the other type of address.
    @concurrent func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: ServerURL, operationID: String,
        next: @concurrent @Sendable (HTTPRequest, HTTPBody?, ServerURL) async throws -> (HTTPResponse, HTTPBody?)
    ) async throws -> (HTTPResponse, HTTPBody?)
}

extension ClientMiddleware where ServerURL == BaseURL {
    /// Calls the function that the type implements.
    ///
    /// - Throws: errors of that function.
    @concurrent public func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String,
        next: @concurrent @Sendable (HTTPRequest, HTTPBody?, BaseURL) async throws -> (HTTPResponse, HTTPBody?)
    ) async throws -> (HTTPResponse, HTTPBody?) {
        try await withoutActuallyEscaping(next) { next in
            // The type of this constant selects the other function, instead of this one again.
            let send: ClientSend = { request, body, url in
                // The body stays with its task.
                nonisolated(unsafe) let passed = body
                nonisolated(unsafe) let answer = try await next(request, passed, url)
                return answer
            }
            return try await intercept(
                request, body: body, baseURL: baseURL, operationID: operationID, next: send)
        }
    }
}

/// Sends requests to one upstream.
public protocol ClientTransport: Sendable {
    /// Sends a request.
    ///
    /// - Returns: the final head, and the body as it arrives.
    /// - Throws: ``TransportError``. Cancelling the task closes the connection.
    func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?)
}

extension ClientTransport {
    /// Folds middleware around this transport, outermost first. Adjacent request editors become one step.
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

/// Middleware that only changes a request's head. It costs no step of the task.
public protocol ClientRequestEditor: ClientMiddleware where ServerURL == BaseURL {
    /// Changes the request before it is passed on.
    func edit(_ request: inout HTTPRequest)
}

extension ClientRequestEditor {
    /// Edits the request and sends it on.
    ///
    /// - Throws: errors of the rest of the chain.
    public func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var request = request
        edit(&request)
        return try await next(request, body, baseURL)
    }
}
