package import HeadgateHTTP

/// Incoming request: the call collects and reads its body, then passes it down the middleware chain of its operation.
///
/// Loop-confined. Each step starts the next one in a callback; the completion is called once and ends the call. A
/// waiting request is this object rather than a task, since a task switch costs more than the gateway's work on a step.
package final class RelayCall: PendingCall {
    package let request: RequestHead
    package let metadata: ServerRequestMetadata
    package let handler: RelayHandler
    private var completion: RequestHandler.Completion?
    /// Memory allowance of the body while it is collected and read.
    private var allowance: BodyAllowance?

    init(
        _ request: RequestHead, _ metadata: ServerRequestMetadata, handler: RelayHandler,
        completion: @escaping RequestHandler.Completion
    ) {
        self.request = request
        self.metadata = metadata
        self.handler = handler
        self.completion = completion
    }

    func start(_ body: HTTPBody?) {
        metadata.work = self
        guard let body else { return read([]) }
        // The body fails if the client disconnects.
        body.collect(upTo: metadata.bodyLimit, within: grantedAllowance()) { [self] result in
            switch result {
            case .success(let content): read(content)
            case .failure(let error): complete(.failure(error))
            }
        }
    }

    private func grantedAllowance() -> BodyAllowance {
        let allowance = handler.bodies.allowance()
        self.allowance = allowance
        return allowance
    }

    private func read(_ content: [UInt8]) {
        let shape = handler.operation.shape
        // A Result copies the envelope, a cost that only long or encoded documents, read on a side thread, must bear.
        guard content.count > LongDocument.threshold || metadata.bodyCoding != nil else {
            do throws(GatewayError) {
                relay(try RequestEnvelope(content, shape: shape))
            } catch {
                complete(.failure(error))
            }
            return
        }
        let coding = RequestCoding(metadata)
        aside(metadata) { () throws(GatewayError) in
            try RequestEnvelope(try coding.plain(content), shape: shape)
        } then: { [self] result in
            switch result {
            case .success(let envelope):
                guard !coding.isCoded || allowance?.grow(to: envelope.size) != false else {
                    return complete(.failure(BodyMemory.Exhausted()))
                }
                relay(envelope)
            case .failure(let error): complete(.failure(error))
            }
        }
    }

    private func relay(_ envelope: consuming RequestEnvelope) {
        if request.asksExplanation, handler.explainer.explains(self, copy envelope) { return }
        let request = RelayRequest(head: request, metadata: metadata, envelope: envelope, allowance: allowance)
        allowance = nil
        let number = begin()
        let step = RelayNext(handler)(request) { [self] result in
            stepEnded()
            complete(result)
        }
        if let step { keep(step, number) }
    }

    package func complete(_ result: Result<ServerResponse, any Error>) {
        guard let completion = completion.take() else { return }
        allowance = nil
        metadata.work = nil
        completion(result)
    }
}

/// Responder to requests for an explanation of their handling, which are not relayed.
package protocol RequestExplaining: Sendable {
    /// Explains the request if the client asked for an explanation.
    ///
    /// - Returns: whether the client requested an explanation. If so, the explainer completes the call, now or later.
    func explains(_ call: RelayCall, _ envelope: RequestEnvelope) -> Bool
}
