/// The end of a chain.
package enum RequestHandler: Sendable {
    package typealias Completion = (Result<ServerResponse, any Error>) -> Void

    /// Responds at once or by callbacks, without a task. The completion is called once, on the loop, perhaps before
    /// this returns.
    case direct(@Sendable (RequestHead, HTTPBody?, ServerRequestMetadata, @escaping Completion) -> Void)
    /// Waits in a task.
    case task(ServerHandler)

    /// Responds at once.
    package static func immediate(
        _ respond: @escaping @Sendable (RequestHead, ServerRequestMetadata) throws -> ServerResponse
    ) -> RequestHandler {
        .direct { request, _, metadata, completion in completion(Result { try respond(request, metadata) }) }
    }
}

extension RequestHandler {
    /// The handler behind middleware, outermost first; made once per route. A direct handler stays direct behind gates;
    /// async middleware makes it a task.
    package func behind(_ middlewares: [any ServerMiddleware], operationID: String) -> RequestHandler {
        let gates = middlewares.compactMap { $0 as? any ServerGate }
        if case .direct(let direct) = self, gates.count == middlewares.count {
            // As functions: iterating over a list would copy each gate.
            let admissions = gates.map { gate -> @Sendable (RequestHead, ServerRequestMetadata) throws -> Void in
                { try gate.admit($0, metadata: $1, operationID: operationID) }
            }
            return .direct { request, body, metadata, completion in
                do {
                    for admit in admissions { try admit(request, metadata) }
                } catch {
                    return completion(.failure(error))
                }
                direct(request, body, metadata, completion)
            }
        }
        var folded = waiting
        for middleware in middlewares.reversed() {
            let next = folded
            folded = { request, body, metadata in
                try await middleware.intercept(
                    request, body: body, metadata: metadata, operationID: operationID, next: next)
            }
        }
        return .task(folded)
    }

    /// The handler as an async function.
    package var waiting: ServerHandler {
        switch self {
        case .task(let handler): handler
        case .direct(let direct):
            { request, body, metadata in
                try await waitInTask { completion in
                    direct(request, body, metadata, completion)
                    return metadata.work
                }
            }
        }
    }
}
