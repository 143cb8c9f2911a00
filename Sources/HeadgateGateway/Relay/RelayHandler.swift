internal import HeadgateConfiguration
internal import HeadgateHTTP

/// A relayed operation: what every request of it has in common.
final class RelayHandler: Sendable {
    let operation: RelayOperation
    let bodies: BodyBudget
    private let models: ModelTable
    private let eventLimit: Int
    private let stored: StoredResponseAccess
    private let heads: [ObjectIdentifier: RelayHeads]

    init(operation: RelayOperation, snapshot: GatewaySnapshot, stored: StoredResponseAccess) {
        self.operation = operation
        bodies = snapshot.bodies
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

    /// Where the model is.
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

    func head(for exchange: RelayExchange, of client: HeadFields) -> OutgoingHead {
        guard let heads = heads[ObjectIdentifier(exchange.upstream)] else {
            preconditionFailure("no heads are made for \(exchange.upstream.name)")
        }
        return heads.head(
            isStream: exchange.isStream, client: client, model: exchange.target.model ?? exchange.model)
    }

    // MARK: Stored responses

    /// Refuses what goes on from a response that is not this caller's.
    func checkStored(_ envelope: RequestEnvelope, _ metadata: ServerRequestMetadata) throws(GatewayError) {
        if operation.shape.isStored { try stored.check(envelope, metadata) }
    }

    /// Who is told of an answer's id; nil where answers are not stored.
    func storedNote(_ metadata: ServerRequestMetadata) -> ((UnsafeRawBufferPointer) -> Void)? {
        guard operation.shape.isStored else { return nil }
        let (stored, maker) = (stored, StoredResponseAccess.maker(metadata))
        return { stored.note($0, madeBy: maker) }
    }

    // MARK: Streams

    /// What the events of the upstream go through on their way; nil when the answer is no stream.
    func transform(_ exchange: RelayExchange, _ metadata: ServerRequestMetadata) -> StreamTransform? {
        guard exchange.isStream else { return nil }
        switch operation.answer {
        case .choices:
            return ChatStreamTransform(
                options: ChatStreamTransform.Options(
                    publicModel: exchange.publicModel, choices: exchange.choices, keepsUsage: exchange.asksUsage,
                    eventLimit: eventLimit, errors: exchange.upstream.errors))
        case .typed(let shape):
            return TypedStreamTransform(
                options: TypedStreamTransform.Options(
                    publicModel: exchange.publicModel, terminal: shape.terminal, silent: shape.silent,
                    endsWithDone: shape.endsWithDone, eventLimit: eventLimit, errors: exchange.upstream.errors,
                    noteID: storedNote(metadata)))
        case .document, .media: return nil
        }
    }
}
