internal import HTTPTypes
internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateOpenAPI

/// Lets the handler of its operation respond to each request, in a task on the loop of its connection. The task is
/// cancelled when the client leaves.
final class OperationResponder: RequestResponder {
    struct Operation: Sendable {
        let id: String
        let handler: OperationHandler
    }

    private let router: PathRouter<Operation>
    private let bodyLimit: Int
    private let onError: @Sendable (any Error, String) -> Void

    init(
        router: PathRouter<Operation>, bodyLimit: Int, onError: @escaping @Sendable (any Error, String) -> Void
    ) {
        self.router = router
        self.bodyLimit = bodyLimit
        self.onError = onError
    }

    func makeContext(clock _: @escaping () -> UInt64) -> any RequestContext { NoContext.shared }

    func respond(
        to request: RequestHead, body: HTTPBody?, metadata: ServerRequestMetadata,
        completion: @escaping (ServerResponse) -> Void
    ) {
        let head = request.request
        switch router.match(request.method, head.path ?? "") {
        case .notFound: completion(RequestFailure(status: 404, "There is no such path.").response)
        case .methodNotAllowed(let allowed):
            let text = "This path knows the methods \(allowed)."
            completion(RequestFailure(status: 405, text, allowed: allowed).response)
        case .route(let operation, let parameters):
            metadata.pathParameters = parameters
            metadata.bodyLimit = bodyLimit
            metadata.run { [self] in
                let loop = EventLoop.current
                do {
                    let (response, body) = try await operation.handler(head, readable(body, on: loop), metadata)
                    completion(ServerResponse(response, sent(body, on: loop)))
                } catch {
                    completion(failure(error, of: operation).response)
                }
            }
        }
    }

    private func failure(_ error: any Error, of operation: Operation) -> RequestFailure {
        if let failure = RequestFailure(error) { return failure }
        if !(error is CancellationError) { onError(error, operation.id) }
        return RequestFailure(status: 500, "The server failed.")
    }

    private func readable(_ body: HTTPBody?, on loop: EventLoop) -> HTTPBody? {
        guard case .stream(let source)? = body else { return body }
        if let whole = source.takeWhole() { return .bytes(whole) }
        return .stream(ArrivingBody(source, on: loop))
    }

    private func sent(_ body: HTTPBody?, on loop: EventLoop) -> HTTPBody? {
        guard case .stream(let source)? = body, let pieces = source as? any PulledBody else { return body }
        return .stream(PumpedBody(pieces, on: loop))
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

/// Nothing is kept of a request.
private final class NoContext: RequestContext, Sendable {
    static let shared = NoContext()
    let requestID = ""

    func decide(_: RequestEnd) {}
    func complete(_: RequestEnd, bytesReceived _: Int, bytesSent _: Int, maximumQueuedBytes _: Int) {}
}
