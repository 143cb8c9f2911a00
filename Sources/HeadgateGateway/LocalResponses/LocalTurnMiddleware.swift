internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import JSONBytes

/// Middleware that prepends the history stored by the gateway to a request's input, so that every target can serve the
/// request. It also adds the turn to its conversation.
struct LocalTurnMiddleware: RelayMiddleware {
    let kept: LocalResponses
    let access: StoredResponseAccess
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let keeping = KeepingRequest(request, next, realtime, completion)
        keeping.start(
            kept, ContinuationSearch(kept: kept, access: access, now: realtime(), isTurn: next.operation.format != nil))
        return keeping
    }
}

/// Request whose turn can be stored. Loop-confined.
private final class KeepingRequest: PendingCall {
    private let request: RelayRequest
    private let next: RelayNext
    private let completion: RequestHandler.Completion
    private let realtime: @Sendable () -> Int64

    init(
        _ request: RelayRequest, _ next: RelayNext, _ realtime: @escaping @Sendable () -> Int64,
        _ completion: @escaping RequestHandler.Completion
    ) {
        self.request = request
        self.next = next
        self.realtime = realtime
        self.completion = completion
    }

    func start(_ kept: LocalResponses, _ search: ContinuationSearch) {
        let metadata = request.metadata
        continued(request.envelope, metadata, search) { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let continued):
                let isTurn = search.isTurn && continued.turn.wishesKeeping
                guard isTurn || continued.isContinuation else { return send(request, nil) }
                let allowance = request.allowance ?? next.allowance()
                // The history counts like a body that the client sends.
                guard !continued.isContinuation || allowance.grow(to: request.envelope.size + continued.envelope.size)
                else { return completion(.failure(BodyMemory.Exhausted())) }
                let turn =
                    search.isTurn
                    ? LocalTurn(continued, kept, by: StoredResponseAccess.maker(metadata), allowance) : nil
                if let turn { metadata.record.facts.noteConversation(turn.threadID) }
                let envelope = continued.isContinuation ? continued.envelope : request.envelope
                send(
                    RelayRequest(
                        head: request.head, metadata: metadata, envelope: envelope, allowance: allowance,
                        companion: turn.map { RelayCompanion(turn: $0) }), turn)
            }
        }
    }

    private func send(_ request: RelayRequest, _ turn: LocalTurn?) {
        wait {
            next(request) { [self] result in
                stepEnded()
                guard let turn, turn.conversationID != nil else { return completion(result) }
                finish(turn, with: result)
            }
        }
    }

    /// Ends the turn with its response, no matter which attempt has produced it.
    private func finish(_ turn: LocalTurn, with result: Result<ServerResponse, any Error>) {
        guard case .success(let response) = result, !turn.isOver else {
            turn.cancel()
            return completion(result)
        }
        switch response.body {
        case .stream(let source)?:
            var followed = response
            followed.body = .stream(TurnBody(source, of: turn))
            completion(.success(followed))
        case .bytes(let document)?: name(turn, in: document, of: response)
        case nil:
            turn.cancel()
            completion(result)
        }
    }

    /// Adds the conversation to the response of an upstream with a Responses API, which does not know the conversation.
    private func name(_ turn: LocalTurn, in document: [UInt8], of response: ServerResponse) {
        let conversation = ResponseConversation(id: turn.conversationID ?? "")
        work(on: document.count, request.metadata) { () throws(JSONError) in
            try conversation.named(document)
        } then: { [self, realtime] named in
            guard case .success(let named) = named else {
                turn.cancel()
                return completion(.success(response))
            }
            if ResponsesTurn.isComplete(named) {
                turn.keep(named, isOwn: false, at: realtime())
            } else {
                turn.cancel()
            }
            var told = response
            told.body = .bytes(named)
            completion(.success(told))
        }
    }
}

/// Stream of a turn. The turn ends with it.
private final class TurnBody: BodyStage {
    private let turn: LocalTurn

    init(_ source: any BodySource, of turn: LocalTurn) {
        self.turn = turn
        super.init(source)
    }

    override func ended() { if !turn.isOver { turn.cancel() } }
}

extension Capability {
    static func localResponses(_ kept: LocalResponses?) -> Capability {
        Capability(
            name: "responses",
            perRequest: { context, operation in
                guard operation.requestFormat == .responses, let kept else { return nil }
                return LocalTurnMiddleware(kept: kept, access: context.relay.stored, realtime: context.realtime)
            },
            handlers: { context in
                let conversations = ConversationHandler(
                    kept: kept, access: context.relay.stored, bodies: context.relay.bodies, realtime: context.realtime)
                let handlers = ConversationHandler.operations.map { operation in
                    (operation, RequestHandler.direct { conversations.handle(operation, $0, $1, $2, completion: $3) })
                }
                return Dictionary(uniqueKeysWithValues: handlers)
            },
            readiness: { output in
                guard let health = kept?.store.health else { return }
                output.append("responses") { output in
                    output.append("working", health.isWorking)
                    output.append("lost", health.lost)
                    output.append("removed", health.removed)
                }
            },
            metrics: { _, _ in
                guard let health = kept?.store.health else { return [] }
                return [
                    MetricFamily(
                        "headgate_response_store_working", .gauge, help: "Whether responses can be kept.",
                        value: .count(health.isWorking ? 1 : 0)),
                    MetricFamily(
                        "headgate_response_store_lost", .counter, help: "Responses that could not be kept.",
                        value: .count(health.lost)),
                ]
            })
    }
}
