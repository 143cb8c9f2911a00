internal import HeadgateConfiguration
internal import HeadgateContract
package import HeadgateDialects
package import HeadgateHTTP

/// A relayed operation: what all its requests share.
package final class RelayHandler: Sendable {
    package let operation: RelayOperation
    let tokenUse: TokenUse
    /// Whether refusals of its requests may be mended.
    let isMended: Bool
    let bodies: BodyBudget
    /// Around every request, outermost first.
    package let middlewares: [any RelayMiddleware]
    /// The kind of a successful response.
    package let expected: UpstreamAttempt.StateMachine.Expectation
    /// The same where the client asked for a stream.
    let expectedOfStreams: UpstreamAttempt.StateMachine.Expectation
    package let models: ModelTable
    let targetStates: TargetStates
    /// Whether responses say what became of their requests, in fields of the gateway's own.
    let hasResponseFields: Bool
    let explainer: any RequestExplaining
    /// The form of the requests, where they can be translated; nil where only what has the same routes takes them.
    package let format: ClientFormat?
    /// Of answers to requests that are not translated, where they can be made of the events of a stream.
    let answerFormat: AnswerFormat?
    /// Of the upstreams that answer such requests as they are; empty where the kind of the upstream decides.
    private let formats: SpokenFormats
    /// Whether clients may give back what models of other formats have thought.
    private let getsForeignReasoning: Bool
    /// Of the upstreams that are sent requests without a look at their history.
    private let formatsAsTheyAre: SpokenFormats
    /// Nanoseconds since 1970.
    package let realtime: @Sendable () -> Int64
    /// Octets of a form that may come before its model is known.
    let formKept: Int
    let eventLimit: Int
    /// Whether somebody wants to know what upstreams say of their caches.
    let readsCache: Bool
    package let stored: StoredResponseAccess
    /// How the gateway keeps responses itself; nil where it does not.
    package let kept: LocalResponses?
    /// By the numbers of the upstreams; nil for those that serve no model.
    private let heads: [RequestHeads?]

    package init(
        operation: RelayOperation, snapshot: RelaySnapshot, middlewares: [any RelayMiddleware],
        explainer: any RequestExplaining, realtime: @escaping @Sendable () -> Int64
    ) {
        self.operation = operation
        tokenUse = TokenUse(ofOperation: operation.id)
        isMended = operation.isMended
        self.realtime = realtime
        format = operation.format
        answerFormat = operation.answerFormat
        let formats: SpokenFormats =
            operation.id == OperationTable.countMessageTokens.id ? .messages : format.map(SpokenFormats.init) ?? []
        self.formats = formats
        // Clients in this format are given reasoning of providers of other formats, and give it back.
        let getsForeignReasoning =
            format != nil && snapshot.models.upstreams.contains { $0.speaks.isDisjoint(with: formats) }
        let isOllamas = if case .ollama = operation.dialect { true } else { false }
        kept = operation.format == .responses ? snapshot.kept : nil
        self.getsForeignReasoning = getsForeignReasoning
        formatsAsTheyAre =
            getsForeignReasoning || isOllamas || kept != nil ? [] : formats.isEmpty ? .all : formats
        (expected, expectedOfStreams) =
            switch operation.response {
            case .choices, .typed: (.document, .events)
            case .document: (.document, .document)
            case .media: (.media, .media)
            case .anything: (.anything, .anything)
            }
        bodies = snapshot.bodies
        self.middlewares = middlewares
        models = snapshot.models
        targetStates = snapshot.targets
        hasResponseFields = snapshot.hasResponseFields
        self.explainer = explainer
        formKept = min(snapshot.bodyLimit, FormBodyMiddleware.limit)
        eventLimit = snapshot.eventLimit
        readsCache = snapshot.readsCache
        stored = snapshot.stored
        var heads: [RequestHeads?] = Array(repeating: nil, count: 1 + (models.upstreams.map(\.number).max() ?? 0))
        for upstream in models.upstreams {
            heads[upstream.number] = RequestHeads(of: operation.outgoing(to: upstream), to: upstream)
        }
        self.heads = heads
    }

    package func handle(
        _ request: RequestHead, _ body: HTTPBody?, _ metadata: ServerRequestMetadata,
        completion: @escaping RequestHandler.Completion
    ) {
        RelayCall(request, metadata, handler: self, completion: completion).start(body)
    }

    /// Sends a request to a target of its model: the end of the chain.
    ///
    /// - Returns: what gives it up; nil when it is over already.
    package func send(_ request: RelayRequest, completion: @escaping RequestHandler.Completion) -> (any Cancellable)? {
        do throws(GatewayError) {
            let route = try route(of: request.envelope.model, for: request.metadata.caller)
            try checkStored(request.envelope, request.metadata)
            guard let target = route.single else {
                return RoutedRequest.start(request, on: route, self, completion: completion)
            }
            return RelayAttempt.start(request, at: target, target.upstream, self, completion: completion)
        } catch {
            completion(.failure(error))
            return nil
        }
    }

    /// Where requests for the model go; at least one target takes those of this operation.
    package func route(of model: String, for caller: ClientKey) throws(GatewayError) -> ModelRoute {
        guard let route = models.route(of: model) else {
            let names = models.names.filter(caller.allows(model:))
            throw .unknownModel(model, nearest: nearest(model, in: names), names: names)
        }
        guard caller.allows(model: model) else { throw .modelNotAllowed(model) }
        guard formats.rawValue != 0 || route.targets.contains(where: takes) else {
            throw .dialectNotSpoken(
                by: route.targets[0].upstream.name, route.targets[0].speaksAnthropic ? .anthropic : .openAI,
                model: model, route: operation.dialect)
        }
        return route
    }

    /// Whether a target takes requests of the operation, translated or not.
    package func takes(_ target: ModelTarget) -> Bool {
        if !formats.isEmpty { return true }
        let isAnthropicRoute = if case .anthropic = operation.dialect { true } else { false }
        return isAnthropicRoute == target.speaksAnthropic
    }

    /// Whether an upstream is sent requests of the operation as they are.
    func relays(to upstream: Upstream) -> Bool { upstream.speaks.rawValue & formatsAsTheyAre.rawValue != 0 }

    /// Whether requests are answered without the upstream, which has nothing that counts tokens.
    func estimates(for upstream: Upstream) -> Bool { format == nil && !takesFormat(upstream) }

    /// The same for a model at a target, which may have been found to have nothing of that kind.
    ///
    /// - Parameter model: the public name.
    func estimates(for target: ModelTarget, _ model: String) -> Bool {
        estimates(for: target.upstream)
            || target.upstream.repairs.isInUse && operation.id == OperationTable.countMessageTokens.id
                && target.upstream.repairs.repairs(of: operation, target.name(of: model)).contains(.countTokens)
    }

    private func takesFormat(_ upstream: Upstream) -> Bool {
        formats.rawValue == 0 || upstream.speaks.rawValue & formats.rawValue != 0
    }

    /// How requests are prepared for an upstream that is not sent them as they are.
    ///
    /// - Parameter turn: nil where the gateway keeps nothing of the request.
    func preparation(for target: ModelTarget, _ upstream: Upstream, _ turn: LocalTurn?) -> RequestPreparation {
        if operation.embeddingForm == nil, takesFormat(upstream) {
            // Of a conversation, what others have said before is kept.
            let isForeign = getsForeignReasoning || turn?.conversationID != nil
            return isForeign ? .withoutForeignReasoning(format?.wire) : .own
        }
        if estimates(for: upstream) { return .tokenEstimate }
        let translation = OutgoingTranslation(of: operation, for: target, keepsResponses: turn != nil)
        guard let translation else { preconditionFailure("\(operation.id) is never translated") }
        return .translation(translation)
    }

    package func head(for attempt: RelayAttempt, of client: HeadFields) -> OutgoingHead {
        head(
            to: attempt.upstream, isStream: attempt.isStream, model: attempt.target.model ?? attempt.model, of: client)
    }

    /// - Parameter model: the upstream's name for it.
    package func head(to upstream: Upstream, isStream: Bool, model: String, of client: HeadFields) -> OutgoingHead {
        guard let heads = heads[upstream.number] else {
            preconditionFailure("no heads are made for \(upstream.name)")
        }
        return heads.head(isStream: isStream, client: client, model: model)
    }

    // MARK: Stored responses

    /// Refuses a request that continues a response of another caller.
    package func checkStored(_ envelope: RequestEnvelope, _ metadata: ServerRequestMetadata) throws(GatewayError) {
        if operation.shape.isStored { try stored.check(envelope, metadata) }
    }

    /// Records the id of a stored response; nil where none are stored.
    func storedNote(for attempt: RelayAttempt) -> ((UnsafeRawBufferPointer) -> Void)? {
        guard operation.shape.isStored else { return nil }
        let (stored, maker, mark) = (stored, StoredResponseAccess.maker(attempt.metadata), attempt.upstream.mark)
        return { stored.note($0, madeBy: maker, at: mark) }
    }

    /// The upstream that has what the request continues, if that is known.
    package func upstream(continuedBy envelope: RequestEnvelope) -> UpstreamMark? {
        operation.shape.isStored ? envelope.previousResponseID.flatMap(stored.upstream) : nil
    }

    // MARK: Streams

    /// The transform of the upstream's events.
    func transform(for attempt: RelayAttempt) -> any StreamTransform {
        switch operation.response {
        case .choices:
            return ChatStreamTransform(
                options: ChatStreamTransform.Options(
                    publicModel: attempt.publicModel, choices: attempt.choices, keepsUsage: attempt.asksUsage,
                    readsCache: readsCache,
                    eventLimit: eventLimit, errors: attempt.upstream.errors))
        case .typed(let shape), .anything(let shape):
            return TypedStreamTransform(
                options: TypedStreamTransform.Options(
                    publicModel: attempt.publicModel, terminal: shape.terminal, silent: shape.silent,
                    failing: shape.failing, endsWithDone: shape.endsWithDone, eventLimit: eventLimit,
                    errors: attempt.upstream.errors,
                    noteID: storedNote(for: attempt)))
        case .document, .media: preconditionFailure("\(operation.id) has no streams")
        }
    }
}
