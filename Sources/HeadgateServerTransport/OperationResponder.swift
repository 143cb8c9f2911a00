internal import HTTPTypes
internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateOpenAPI

/// Responder that runs the handler of a request's operation, in a task on the loop of the connection. The task is
/// canceled when the client disconnects.
final class OperationResponder: RequestResponder {
    private let router: PathRouter<Operation>
    private let bodyLimit: Int
    private let memory: BodyBudget
    private let running: RunningHandlers
    private let onError: @Sendable (any Error, String) -> Void

    init(
        router: PathRouter<Operation>, bodyLimit: Int, memory: BodyBudget, running: RunningHandlers,
        onError: @escaping @Sendable (any Error, String) -> Void
    ) {
        self.router = router
        self.bodyLimit = bodyLimit
        self.memory = memory
        self.running = running
        self.onError = onError
    }

    func makeContext(clock _: @escaping () -> UInt64) -> any RequestContext { OperationContext() }

    func respond(
        to request: RequestHead, body: HTTPBody?, metadata: ServerRequestMetadata,
        completion: @escaping (ServerResponse) -> Void
    ) {
        switch request.withPath({ router.match(request.method, $0) }) {
        case .notFound: completion(RequestFailure(status: 404, "There is no such path.").response)
        case .methodNotAllowed(let allowed):
            let text = "This path knows the methods \(allowed)."
            completion(RequestFailure(status: 405, text, allowed: allowed).response)
        case .route(let operation, let parameters):
            let head = request.request
            metadata.pathParameters = parameters
            metadata.bodyLimit = bodyLimit
            let loop = EventLoop.current
            let body = readable(body, on: loop)
            let arriving = arriving(body)
            (metadata.context as? OperationContext)?.body = arriving
            running.begin()
            metadata.run { [self] in
                defer { running.end() }
                do {
                    let (response, body) = try await operation.handler(head, body, metadata)
                    completion(try answer(response, body, of: operation, beside: arriving, on: loop))
                } catch {
                    arriving?.cancel(because: HTTPSyntaxError.incompleteBody)
                    completion(failure(error, of: operation).response)
                }
            }
        }
    }

    private func failure(_ thrown: any Error, of operation: Operation) -> RequestFailure {
        let error = (thrown as? ServerError)?.underlyingError ?? thrown
        if let failure = RequestFailure(error) { return failure }
        if !(error is CancellationError) { onError(error, operation.id) }
        return RequestFailure(status: 500, "The server failed.")
    }

    private func readable(_ body: HTTPBody?, on loop: EventLoop) -> HTTPBody? {
        guard case .stream(let source)? = body else { return body }
        if let whole = source.takeWhole() { return .bytes(whole) }
        return .stream(ArrivingBody(source, on: loop, limit: bodyLimit, within: memory))
    }

    private func arriving(_ body: HTTPBody?) -> ArrivingBody? {
        guard case .stream(let source)? = body else { return nil }
        return source as? ArrivingBody
    }

    /// Returns the server's response for a handler's response.
    private func answer(
        _ response: HTTPResponse, _ body: HTTPBody?, of operation: Operation, beside request: ArrivingBody?,
        on loop: EventLoop
    ) throws -> ServerResponse {
        let stream: (any BodySource)? = if case .stream(let source)? = body { source } else { nil }
        let head = operation.head(of: response)
        guard head.status >= 200 else {
            stream?.cancel()
            throw InterimResponse(status: head.status)
        }
        let isBodyless = head.status == 204 || head.status == 304
        if isBodyless { stream?.cancel() }
        if isBodyless || stream == nil {
            request?.cancel(because: HTTPSyntaxError.incompleteBody)
            return ServerResponse(head, isBodyless ? nil : body)
        }
        guard let pieces = stream as? any PulledBody else { return ServerResponse(head, body) }
        return ServerResponse(head, .stream(PumpedBody(pieces, on: loop, beside: request, running: running)))
    }

    func refuse(_ violation: HTTPSyntaxError, metadata _: ServerRequestMetadata) -> ServerResponse {
        RequestFailure(status: violation.status, violation.explanation).response
    }

    func shutdownResponse(to _: RequestHead, metadata _: ServerRequestMetadata) -> ServerResponse {
        RequestFailure(status: 503, "The server is shutting down.").response
    }

    func heartbeat(for _: ServerResponseHead) -> [UInt8]? { nil }
    func finalEvents(for _: ServerResponseHead, metadata _: ServerRequestMetadata) -> [UInt8]? { nil }
}

/// Error of a handler that has responded with a status below 200, after which its client would wait for another
/// response.
private struct InterimResponse: Error, CustomStringConvertible {
    let status: Int

    var description: String { "a handler answered with status \(status), which is not the status of a whole response" }
}

/// Context that retains only the request's body, which ends with the response. Body and exchange retain each other
/// until then.
private final class OperationContext: RequestContext {
    let requestID = ""
    var body: ArrivingBody?

    func decide(_: RequestEnd) {}

    func complete(_: RequestEnd, bytesReceived _: Int, bytesSent _: Int, maximumQueuedBytes _: Int) {
        let body = body
        self.body = nil
        body?.cancel(because: HTTPSyntaxError.incompleteBody)
    }
}
