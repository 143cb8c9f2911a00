package import HeadgateHTTP

/// A time limit that goes on while the response is on its way. Loop-confined.
package final class ResponseDeadline: Cancellable {
    private var timer: (any Cancellable)?
    private var expire: (() -> Void)?

    /// - Parameter expire: called once, on the loop of the request, unless the deadline is cancelled or followed by
    ///   someone else before.
    package init(after duration: Duration, _ metadata: ServerRequestMetadata, expire: @escaping () -> Void) {
        self.expire = expire
        timer = metadata.after(duration) { [self] in pass() }
    }

    /// Whoever carries the response on from here.
    func follow(_ expire: @escaping () -> Void) {
        if timer != nil { self.expire = expire }
    }

    package func cancel() {
        timer?.cancel()
        timer = nil
        expire = nil
    }

    private func pass() {
        timer = nil
        expire.take()?()
    }
}

/// The body of a response, which a deadline can end.
protocol ExpiringBody: AnyObject {
    /// Keeps the deadline, and cancels it when the body ends by itself.
    func end(by deadline: ResponseDeadline)
    /// Ends the body with an error, unless it has ended.
    func expire(_ error: GatewayError)
}

extension HTTPBody {
    /// Ends the response with an error when the deadline passes.
    package func end(by deadline: ResponseDeadline, with error: GatewayError) {
        guard case .stream(let source) = self, let body = source as? any ExpiringBody else { return deadline.cancel() }
        body.end(by: deadline)
        deadline.follow { [weak body] in body?.expire(error) }
    }
}
