internal import HeadgateHTTP

/// One request on its way in: its body is collected and read, then it goes down the chain of its operation.
///
/// Loop-confined. Each step is called back by the one before it; the completion ends it, once. A waiting request is
/// this object and no task: a task switch costs more than the gateway's own work on a step.
final class RelayCall: PendingCall {
    let request: RequestHead
    let metadata: ServerRequestMetadata
    let handler: RelayHandler
    private var completion: RequestHandler.Completion?
    /// Covers the body while it is collected and read.
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
        if request.asksExplanation, isExplained(copy envelope) { return }
        let request = RelayRequest(head: request, metadata: metadata, envelope: envelope, allowance: allowance)
        allowance = nil
        wait {
            RelayNext(handler)(request) { [self] result in
                stepEnded()
                complete(result)
            }
        }
    }

    func complete(_ result: Result<ServerResponse, any Error>) {
        guard let completion = completion.take() else { return }
        allowance = nil
        metadata.work = nil
        completion(result)
    }
}
