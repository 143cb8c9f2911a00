import HTTPTypes
import HeadgateHTTP
import HeadgateTesting

@testable import HeadgateGateway

// What middleware can be: one sample of each kind.

/// Responds by itself, and sends nothing.
struct EarlyResponse: RelayMiddleware {
    let text: String

    func intercept(
        _: RelayRequest, next _: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])
        completion(.success(ServerResponse(head, .bytes(Array(text.utf8)))))
        return nil
    }
}

/// Waits after a failure and tries again, once.
struct SecondTry: RelayMiddleware {
    let pause: Duration
    let pauses: Mailbox<Bool>

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let call = Call(self, request, next, completion)
        call.attempt(isLast: false)
        return call
    }
}

private final class Call: PendingCall {
    private let (middleware, request, next): (SecondTry, RelayRequest, RelayNext)
    private let completion: RequestHandler.Completion
    private var isPausing = false

    init(
        _ middleware: SecondTry, _ request: RelayRequest, _ next: RelayNext,
        _ completion: @escaping RequestHandler.Completion
    ) {
        (self.middleware, self.request, self.next, self.completion) = (middleware, request, next, completion)
    }

    func attempt(isLast: Bool) {
        wait {
            next(request) { [self] result in
                stepEnded()
                if case .failure = result, !isLast, !isCancelled { pause() } else { completion(result) }
            }
        }
    }

    private func pause() {
        isPausing = true
        middleware.pauses.post(true)
        nonisolated(unsafe) let goOn = { [self] in
            isPausing = false
            stepEnded()
            attempt(isLast: true)
        }
        wait { request.metadata.after(middleware.pause) { goOn() } }
    }

    override func cancel() {
        super.cancel()
        guard isPausing else { return }
        isPausing = false
        completion(.failure(TransportError(.cancelled)))
    }
}

/// Changes the bytes of a response: here each `~` to `!`.
struct Exclamation: UpstreamMiddleware {
    func intercept(
        _ request: UpstreamRequest, next: UpstreamNext, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        next(request) { result in
            completion(
                result.map { UpstreamResponse($0.head, $0.body.map { .stream(Stage($0.source)) }) })
        }
    }

    private final class Stage: BodyStage {
        override func receive(_ chunk: UnsafeRawBufferPointer) {
            let changed = chunk.map { $0 == UInt8(ascii: "~") ? UInt8(ascii: "!") : $0 }
            changed.withUnsafeBytes { pass($0) }
        }
    }
}

/// In the shape of the client library: waits, if it is to, marks the request and notes the status.
struct AsyncMark: ClientMiddleware {
    var wait: Duration?
    let statuses: Mailbox<Int>

    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var request = request
        request.headerFields.append(HTTPField(name: .init("x-mark").unsafelyUnwrapped, value: operationID))
        if let wait {
            statuses.post(0)
            try await Task.sleep(for: wait)
        }
        let (response, body) = try await next(request, body, baseURL)
        statuses.post(response.status.code)
        return (response, body)
    }
}
