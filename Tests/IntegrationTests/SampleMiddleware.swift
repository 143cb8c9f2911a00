import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting

@testable import HeadgateGateway
@testable import HeadgateRelay

// One sample of each kind of middleware.

/// Responds without sending a request.
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

/// Waits after a failure and retries once.
struct SecondTry: RelayMiddleware {
    let pause: Duration
    let pauses: Mailbox<Bool>

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let call = PendingCall()
        call.wait {
            next(request) { result in
                call.stepEnded()
                guard case .failure = result, !call.isCancelled else { return completion(result) }
                pauses.post(true)
                call.pause(pause, request.metadata) { paused in
                    if case .failure(let error) = paused { return completion(.failure(error)) }
                    call.wait {
                        next(request) { result in
                            call.stepEnded()
                            completion(result)
                        }
                    }
                }
            }
        }
        return call
    }
}

/// Changes each `~` in a response to `!`.
struct Exclamation: UpstreamMiddleware {
    func intercept(
        _ request: UpstreamRequest, next: UpstreamNext, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        next(request) { result in
            completion(
                result.map { response in
                    var response = response
                    response.body = response.body.map { .stream(Stage($0.source)) }
                    return response
                })
        }
    }

    private final class Stage: BodyStage {
        override func receive(_ chunk: UnsafeRawBufferPointer) {
            let changed = chunk.map { $0 == UInt8(ascii: "~") ? UInt8(ascii: "!") : $0 }
            changed.withUnsafeBytes { pass($0) }
        }
    }
}

/// Middleware for the client library that waits if configured, marks the request, and records the status.
struct AsyncMark: ClientMiddleware {
    var wait: Duration?
    /// Whether the middleware waits after the response instead.
    var waitsAfter = false
    let statuses: Mailbox<Int>

    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var request = request
        request.headerFields.append(HTTPField(name: .init("x-mark").unsafelyUnwrapped, value: operationID))
        if let wait, !waitsAfter {
            statuses.post(0)
            try await Task.sleep(for: wait)
        }
        let (response, body) = try await next(request, body, baseURL)
        statuses.post(response.status.code)
        if let wait, waitsAfter { try await Task.sleep(for: wait) }
        return (response, body)
    }
}

/// Lets one attempt pass and fails all others.
final class Once: UpstreamMiddleware {
    private let kind: TransportError.Kind
    private let attempts = Locked(0)

    init(failing kind: TransportError.Kind) { self.kind = kind }

    func intercept(
        _ request: UpstreamRequest, next: UpstreamNext, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        let isFirst = attempts.withLock { attempts in
            attempts += 1
            return attempts == 1
        }
        if isFirst { return next(request, completion: completion) }
        completion(.failure(TransportError(kind)))
        return nil
    }
}
