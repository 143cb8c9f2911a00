internal import HeadgateHTTP

/// Time limit that continues to run while the response is relayed. Loop-confined.
final class ResponseDeadline: Cancellable {
    private var timer: (any Cancellable)?
    private var handler: (() -> Void)?

    /// - Parameter handler: called once, on the loop of the request, unless the deadline is cancelled or
    ///   ``follow(_:)`` replaces this closure before it passes.
    init(after duration: Duration, _ metadata: ServerRequestMetadata, handler: @escaping () -> Void) {
        self.handler = handler
        timer = metadata.after(duration) { [self] in pass() }
    }

    /// Replaces the closure to call when the deadline passes, for the next stage that carries the response.
    func follow(_ handler: @escaping () -> Void) {
        if timer != nil { self.handler = handler }
    }

    func cancel() {
        timer?.cancel()
        timer = nil
        handler = nil
    }

    private func pass() {
        timer = nil
        handler.take()?()
    }
}

/// Response body that a deadline can end.
protocol ExpiringBody: AnyObject {
    /// Retains the deadline, and cancels it when the body ends.
    func end(by deadline: ResponseDeadline)
    /// Ends the body with an error, unless it has already ended.
    func deadlinePassed(_ error: GatewayError)
}

extension HTTPBody {
    /// Ends the response with an error when the deadline passes.
    func end(by deadline: ResponseDeadline, with error: GatewayError) {
        guard case .stream(let source) = self, let body = source as? any ExpiringBody else { return deadline.cancel() }
        body.end(by: deadline)
        deadline.follow { [weak body] in body?.deadlinePassed(error) }
    }
}
