internal import HTTPTypes
internal import HeadgateEventLoop
package import HeadgateHTTP

/// Adapts asynchronous middleware, as the client library and Swift OpenAPI Generator use it, to attempts of the
/// gateway.
///
/// It costs one task on the loop, and conversions of request and response to HTTPTypes. `next` must be called on that
/// loop: in the task itself or a child of it, not in an unstructured one.
package struct TaskMiddleware: UpstreamMiddleware {
    private let middleware: any ClientMiddleware

    package init(_ middleware: any ClientMiddleware) { self.middleware = middleware }

    package func intercept(
        _ request: UpstreamRequest, next: UpstreamNext, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        let bound = LoopBound((request: request, next: next, completion: completion), on: EventLoop.current)
        let middleware = middleware
        return TaskWork(
            Task(executorPreference: bound.loop) {
                let (request, next, completion) = bound.value
                completion(await TaskMiddleware.run(middleware, request, next, on: bound.loop))
            })
    }

    private static func run(
        _ middleware: any ClientMiddleware, _ request: UpstreamRequest, _ next: UpstreamNext, on loop: EventLoop
    ) async -> Result<UpstreamResponse, TransportError> {
        let operationID = request.operationID
        // Status received by this task, or its children on the same loop.
        nonisolated(unsafe) var receivedStatus: Int?
        nonisolated(unsafe) let given = request.body
        nonisolated(unsafe) let rest = next
        do {
            let (response, body) = try await middleware.intercept(
                request.wholeHead, body: given?.httpBody, baseURL: next.baseURL, operationID: operationID
            ) { head, body, _ in
                guard loop.isCurrent else {
                    throw TransportError(.middleware, "it called the rest of its chain in another thread")
                }
                try Task.checkCancellation()
                var passed = UpstreamRequest(OutgoingHead(head), body: nil, operationID: operationID)
                passed.body = try await TaskMiddleware.passed(body, instead: given)
                let response = try await TaskMiddleware.send(passed, rest)
                receivedStatus = response.receivedStatus
                return (response.decodedHead, response.body?.lent)
            }
            return .success(UpstreamResponse(ResponseHead(response), body, receivedStatus: receivedStatus))
        } catch {
            return .failure(TaskMiddleware.failure(error))
        }
    }

    /// Returns the body to send: a streamed body that the middleware has not changed is streamed; any other one is
    /// collected.
    private static func passed(_ body: HTTPBody?, instead given: OutgoingBody?) async throws -> OutgoingBody? {
        if case .stream(let source)? = body, case .stream(let streamed)? = given, source === streamed.source {
            return given
        }
        guard let body else { return nil }
        return .bytes(try await body.collect(upTo: .max))
    }

    /// A cancellation that is not the request's own, such as the end of a time limit, is the middleware's failure.
    private static func failure(_ error: any Error) -> TransportError {
        if let error = error as? TransportError, error.kind != .cancelled { return error }
        if Task.isCancelled { return TransportError(.cancelled) }
        return TransportError(.middleware, String(describing: type(of: error)))
    }

    private static func send(_ request: UpstreamRequest, _ next: UpstreamNext) async throws -> UpstreamResponse {
        try await waitInTask { completion in
            next(request) { completion($0.mapError { $0 }) }
        }
    }
}

/// Body that a middleware holds. If the middleware drops it unread, its source is cancelled.
private final class LentBody: BodyStage {
    deinit { source.cancel() }
}

extension HTTPBody {
    /// The body, which is cancelled if it is dropped unread.
    package var lent: HTTPBody { .stream(LentBody(source)) }
}

extension OutgoingBody {
    fileprivate var httpBody: HTTPBody {
        switch self {
        case .bytes(let bytes): .bytes(bytes)
        case .stream(let streamed): .stream(streamed.source)
        }
    }
}

extension UpstreamResponse {
    /// Head of the response without a content coding, since the body is decoded.
    var decodedHead: HTTPResponse {
        var response = head.response
        response.headerFields[.contentEncoding] = nil
        return response
    }
}
