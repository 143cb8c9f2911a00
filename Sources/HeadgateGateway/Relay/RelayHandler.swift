internal import HeadgateConfiguration
internal import HeadgateHTTP

/// A relayed operation: what all its requests share.
final class RelayHandler: Sendable {
    let operation: RelayOperation
    let bodies: BodyBudget
    /// Around every request, outermost first.
    let middlewares: [any RelayMiddleware]
    /// The kind of a successful response.
    let expected: UpstreamAttempt.StateMachine.Expectation
    /// The same where the client asked for a stream.
    let expectedOfStreams: UpstreamAttempt.StateMachine.Expectation
    private let models: ModelTable
    private let eventLimit: Int
    private let stored: StoredResponseAccess
    private let heads: [ObjectIdentifier: RelayHeads]

    init(operation: RelayOperation, snapshot: GatewaySnapshot, stored: StoredResponseAccess) {
        self.operation = operation
        (expected, expectedOfStreams) =
            switch operation.answer {
            case .choices, .typed: (.document, .events)
            case .document: (.document, .document)
            case .media: (.media, .media)
            }
        bodies = snapshot.bodies
        middlewares = snapshot.middleware.perRequest
        models = snapshot.models
        eventLimit = snapshot.eventLimit
        self.stored = stored
        heads = Dictionary(
            uniqueKeysWithValues: models.upstreams.map { (ObjectIdentifier($0), RelayHeads(of: operation, to: $0)) })
    }

    func handle(
        _ request: RequestHead, _ body: HTTPBody?, _ metadata: ServerRequestMetadata,
        completion: @escaping RequestHandler.Completion
    ) {
        RelayedRequest(request, metadata, handler: self, completion: completion).start(body)
    }

    /// The upstream of the model.
    func target(of model: String, for caller: any Caller) throws(GatewayError) -> ModelTable.Target {
        guard let target = models.target(of: model) else {
            throw .unknownModel(model, nearest: nearest(model, in: models.names.filter(caller.allows(model:))))
        }
        guard caller.allows(model: model) else { throw .modelNotAllowed(model) }
        try checkDialect(of: target.upstream, model: model)
        return target
    }

    private func checkDialect(of upstream: Upstream, model: String) throws(GatewayError) {
        let isAnthropicRoute = if case .anthropic = operation.dialect { true } else { false }
        let isAnthropicUpstream = if case .anthropic = upstream.kind { true } else { false }
        guard isAnthropicRoute != isAnthropicUpstream else { return }
        throw .dialectNotSpoken(
            by: upstream.name, isAnthropicUpstream ? .anthropic : .openAI, model: model, route: operation.dialect)
    }

    func head(for attempt: RelayAttempt, of client: HeadFields) -> OutgoingHead {
        guard let heads = heads[ObjectIdentifier(attempt.upstream)] else {
            preconditionFailure("no heads are made for \(attempt.upstream.name)")
        }
        return heads.head(
            isStream: attempt.isStream, client: client, model: attempt.target.model ?? attempt.model)
    }

    // MARK: Stored responses

    /// Refuses a request that continues a response of another caller.
    func checkStored(_ envelope: RequestEnvelope, _ metadata: ServerRequestMetadata) throws(GatewayError) {
        if operation.shape.isStored { try stored.check(envelope, metadata) }
    }

    /// Records the id of a stored response; nil where none are stored.
    func storedNote(_ metadata: ServerRequestMetadata) -> ((UnsafeRawBufferPointer) -> Void)? {
        guard operation.shape.isStored else { return nil }
        let (stored, maker) = (stored, StoredResponseAccess.maker(metadata))
        return { stored.note($0, madeBy: maker) }
    }

    // MARK: Streams

    /// The transform of the upstream's events.
    func transform(for attempt: RelayAttempt) -> any StreamTransform {
        switch operation.answer {
        case .choices:
            return ChatStreamTransform(
                options: ChatStreamTransform.Options(
                    publicModel: attempt.publicModel, choices: attempt.choices, keepsUsage: attempt.asksUsage,
                    eventLimit: eventLimit, errors: attempt.upstream.errors))
        case .typed(let shape):
            return TypedStreamTransform(
                options: TypedStreamTransform.Options(
                    publicModel: attempt.publicModel, terminal: shape.terminal, silent: shape.silent,
                    endsWithDone: shape.endsWithDone, eventLimit: eventLimit, errors: attempt.upstream.errors,
                    noteID: storedNote(attempt.metadata)))
        case .document, .media: preconditionFailure("\(operation.id) has no streams")
        }
    }
}
