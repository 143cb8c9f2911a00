internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Request whose response is read to its end, for its usage, after its client has disconnected. Loop-confined.
final class DrainedRequest: Cancellable {
    private let metadata: ServerRequestMetadata
    private let call = PendingCall()
    private var completion: RequestHandler.Completion?
    private var held: HeldOutcome?
    private var body: DrainedBody?
    /// Limit of the wait for a response after the disconnect.
    private var timer: (any Cancellable)?

    init(_ metadata: ServerRequestMetadata, completion: @escaping RequestHandler.Completion) {
        self.metadata = metadata
        self.completion = completion
    }

    /// - Returns: a handle that cancels the request; nil if it is already over.
    func start(
        _ request: RelayRequest, _ next: RelayNext, _ disconnects: Locked<Disconnects>
    ) -> (any Cancellable)? {
        held = HeldOutcome(metadata, disconnects) { [self] in cancelUpstream(.broken) }
        call.wait {
            next(request) { [self] result in
                call.stepEnded()
                receive(result)
            }
        }
        return completion == nil ? nil : self
    }

    private func receive(_ result: Result<ServerResponse, any Error>) {
        timer?.cancel()
        timer = nil
        guard let held else { return complete(result) }
        guard case .success(let response) = result, case .stream(let source)? = response.body else {
            self.held = nil
            held.release(disconnect(of: result))
            return complete(result)
        }
        let body = DrainedBody(source, held, metadata)
        self.body = body
        if completion == nil { return body.readOn() }
        var drained = response
        drained.body = .stream(body)
        complete(.success(drained))
    }

    private func disconnect(of result: Result<ServerResponse, any Error>) -> HeldOutcome.Disconnect {
        if case .success = result { .drained } else { .broken }
    }

    private func complete(_ result: Result<ServerResponse, any Error>) {
        completion.take()?(result)
    }

    /// Ends the request for a client that disconnects before the response; the upstream's work continues.
    func cancel() {
        guard completion != nil else { return }
        complete(.failure(TransportError(.cancelled)))
        timer = metadata.after(DrainedBody.longest) { [self] in cancelUpstream(.drainLimit) }
    }

    private func cancelUpstream(_ disconnect: HeldOutcome.Disconnect) {
        if let body { return body.cancelUpstream(disconnect) }
        timer?.cancel()
        timer = nil
        let held = held
        self.held = nil
        call.cancel()
        held?.release(disconnect)
    }
}
