internal import HeadgateDialects
internal import HeadgateHTTP

/// Puts what a request continues, where the gateway has kept it, before its input, so that every target may be sent it.
struct KeptTurnMiddleware: RelayMiddleware {
    let kept: KeptResponses
    let access: StoredResponseAccess
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let keeping = KeepingRequest(request, next, completion)
        keeping.start(kept, access, at: realtime())
        return keeping
    }
}

/// Loop-confined.
private final class KeepingRequest: PendingCall {
    private let request: RelayRequest
    private let next: RelayNext
    private let completion: RequestHandler.Completion

    init(_ request: RelayRequest, _ next: RelayNext, _ completion: @escaping RequestHandler.Completion) {
        self.request = request
        self.next = next
        self.completion = completion
    }

    func start(_ kept: KeptResponses, _ access: StoredResponseAccess, at now: Int64) {
        let metadata = request.metadata
        continued(request.envelope, metadata, kept, access, at: now) { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let continued):
                guard continued.turn.wishesKeeping || continued.previous != nil else { return send(request) }
                let allowance = request.allowance ?? next.allowance()
                // What was said before counts like a body that the client sends.
                guard continued.previous == nil || allowance.grow(to: request.envelope.size + continued.envelope.size)
                else { return completion(.failure(BodyMemory.Exhausted())) }
                let turn = KeptTurn(
                    continued.turn, after: continued.previous, kept, by: StoredResponseAccess.maker(metadata),
                    allowance)
                send(
                    RelayRequest(
                        head: request.head, metadata: metadata, envelope: continued.envelope,
                        allowance: allowance, companion: RelayCompanion(turn: turn)))
            }
        }
    }

    private func send(_ request: RelayRequest) {
        wait {
            next(request) { [self] result in
                stepEnded()
                completion(result)
            }
        }
    }
}
