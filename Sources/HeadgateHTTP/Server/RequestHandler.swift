package import HTTPTypes

/// Handler at the end of a chain.
package enum RequestHandler: Sendable {
    package typealias Completion = (Result<ServerResponse, any Error>) -> Void

    /// Responds at once or by callbacks, without a task. The completion is called once, on the loop, perhaps before
    /// this returns.
    case direct(@Sendable (RequestHead, HTTPBody?, ServerRequestMetadata, @escaping Completion) -> Void)
    /// Waits in a task.
    case task(@Sendable (RequestHead, HTTPBody?, ServerRequestMetadata) async throws -> ServerResponse)

    /// Responds at once.
    package static func immediate(
        _ respond: @escaping @Sendable (RequestHead, ServerRequestMetadata) throws -> ServerResponse
    ) -> RequestHandler {
        .direct { request, _, metadata, completion in completion(Result { try respond(request, metadata) }) }
    }
}

extension RequestHandler {
    /// Returns the handler behind gates, which are passed in order. Called once per route.
    package func behind(_ gates: [any ServerGate], operationID: String) -> RequestHandler {
        // The gates are wrapped in functions, since iterating over a list would copy each gate.
        let admissions = gates.map { gate -> @Sendable (RequestHead, ServerRequestMetadata) throws -> Void in
            { try gate.admit($0, metadata: $1, operationID: operationID) }
        }
        switch self {
        case .direct(let direct):
            return .direct { request, body, metadata, completion in
                do {
                    for admit in admissions { try admit(request, metadata) }
                } catch {
                    return completion(.failure(error))
                }
                direct(request, body, metadata, completion)
            }
        case .task(let handler):
            return .task { request, body, metadata in
                for admit in admissions { try admit(request, metadata) }
                return try await handler(request, body, metadata)
            }
        }
    }
}

/// Checks a request's head before the body is read: records something, or refuses the request.
package protocol ServerGate: Sendable {
    /// - Throws: the error with which the request is refused.
    func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws
}

/// Response of the server: the head, and the body, whole or as a source.
package struct ServerResponse {
    package var head: ServerResponseHead
    package var body: HTTPBody?
    /// Whether the request's id is also sent as `request-id`.
    package var hasRequestID = false

    package init(_ head: ServerResponseHead, _ body: HTTPBody?) {
        self.head = head
        self.body = body
    }

    package init(_ response: HTTPResponse, _ body: HTTPBody?) { self.init(ServerResponseHead(response), body) }
}
