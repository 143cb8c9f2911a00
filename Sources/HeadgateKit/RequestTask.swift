internal import HTTPTypes
internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateOpenAPI
internal import HeadgateRelay
internal import HeadgateUpstream

/// Adapter that runs async server middleware around the gateway's relayed requests.
///
/// It costs one task on the loop. The middleware must call `next` on that loop, in the task itself or in a child task,
/// not in an unstructured task.
struct RequestTask: RelayMiddleware {
    private let middleware: any ServerMiddleware

    init(_ middleware: any ServerMiddleware) { self.middleware = middleware }

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let bound = LoopBound((request: request, next: next, completion: completion), on: EventLoop.current)
        let middleware = middleware
        return TaskWork(
            Task(executorPreference: bound.loop) {
                let (request, next, completion) = bound.value
                completion(await RequestTask.run(middleware, request, next, on: bound.loop))
            })
    }

    private static func run(
        _ middleware: any ServerMiddleware, _ request: RelayRequest, _ next: RelayNext, on loop: EventLoop
    ) async -> Result<ServerResponse, any Error> {
        // Only this task and its children use these variables, all on the same loop.
        nonisolated(unsafe) let given = request
        nonisolated(unsafe) var received: ServerResponse?
        let head = request.head.request
        do {
            let body: HTTPBody? = request.upload == nil ? .bytes(request.envelope.bytes) : nil
            var (response, changed) = try await middleware.intercept(
                head, body: body, metadata: request.metadata, operationID: next.operation.id
            ) { newHead, newBody, _ in
                guard loop.isCurrent else {
                    throw TransportError(.middleware, "it called the rest of its chain in another thread")
                }
                try Task.checkCancellation()
                let passed = try await RequestTask.passed(newHead, newBody, instead: given, of: head)
                let response = try await waitInTask { completion in next(passed, completion: completion) }
                received = response
                return (response.head.response, response.body?.lent)
            }
            // An unchanged head is forwarded as it is, with details that HTTPTypes cannot express.
            if let received, received.head.response == response {
                return .success(ServerResponse(received.head, changed))
            }
            response.headerFields.removeAll { HeadEncoder.isOfFraming($0.name) }
            return .success(ServerResponse(response, changed))
        } catch {
            return .failure(error is CancellationError ? TransportError(.cancelled) : error)
        }
    }

    /// Returns the request to forward, parsed again if the middleware has changed it.
    private static func passed(
        _ head: HTTPRequest, _ body: HTTPBody?, instead given: RelayRequest, of original: HTTPRequest
    ) async throws -> RelayRequest {
        var envelope = given.envelope
        if given.upload == nil, let body {
            let bytes = try await body.collect(upTo: .max)
            if bytes != envelope.bytes { envelope = try RequestEnvelope(bytes, shape: envelope.shape) }
        }
        return RelayRequest(
            head: head == original ? given.head : RequestHead(head, closes: given.head.closes),
            metadata: given.metadata, envelope: envelope, allowance: given.allowance, companion: given.companion)
    }
}
