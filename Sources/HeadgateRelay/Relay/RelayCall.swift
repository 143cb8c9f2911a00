package import HeadgateHTTP

/// One request on its way in: its body is collected and read, then it goes down the chain of its operation.
///
/// Loop-confined. Each step is called back by the one before it; the completion ends it, once. A waiting request is
/// this object and no task: a task switch costs more than the gateway's own work on a step.
package final class RelayCall: PendingCall {
    package let request: RequestHead
    package let metadata: ServerRequestMetadata
    package let handler: RelayHandler
    private var completion: RequestHandler.Completion?
    /// Covers the body while it is collected and read.
    private var allowance: BodyAllowance?

    package init(
        _ request: RequestHead, _ metadata: ServerRequestMetadata, handler: RelayHandler,
        completion: @escaping RequestHandler.Completion
    ) {
        self.request = request
        self.metadata = metadata
        self.handler = handler
        self.completion = completion
    }

    package func start(_ body: HTTPBody?) {
        metadata.work = self
        guard let body else { return read([]) }
        // When the client leaves, its body fails.
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
        // Only a long document is passed in a Result, which copies the envelope: a cost for every request otherwise.
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
        wait {
            RelayNext(handler)(request) { [self] result in
                stepEnded()
                complete(result)
            }
        }
    }

    package func complete(_ result: Result<ServerResponse, any Error>) {
        guard let completion = completion.take() else { return }
        allowance = nil
        metadata.work = nil
        completion(result)
    }
}

/// Responds to requests that ask what would happen to them, instead of relaying them.
package protocol RequestExplaining: Sendable {
    /// - Returns: whether the request asks for an explanation. Then the call is completed, now or later.
    func explains(_ call: RelayCall, _ envelope: RequestEnvelope) -> Bool
}
