internal import HeadgateConfiguration
internal import HeadgateDialects
package import HeadgateHTTP

/// Handler of a relayed operation, with the state that all its requests share.
package final class RelayHandler: Sendable {
    package let operation: RelayOperation
    let tokenUse: TokenUse
    /// Whether the gateway can repair refused requests of the operation.
    let isMended: Bool
    let bodies: BodyBudget
    /// Middleware around every request, outermost first.
    package let middlewares: [any RelayMiddleware]
    /// Kind of a successful response.
    let expected: UpstreamAttempt.StateMachine.Expectation
    /// Kind of a successful response if the client requested a stream.
    let expectedOfStreams: UpstreamAttempt.StateMachine.Expectation
    package let models: ModelTable
    let targetStates: TargetStates
    /// Whether responses have the gateway's own header fields, which report how it handled their requests.
    let hasResponseFields: Bool
    let explainer: any RequestExplaining
    /// Format of the requests if they can be translated; nil if only upstreams with the same routes take them.
    let format: ClientFormat?
    /// Format of responses to untranslated requests, if a document can be made from the events of a stream.
    let answerFormat: AnswerFormat?
    /// Formats of the upstreams that accept the operation's requests untranslated; empty if their kind decides.
    private let formats: SpokenFormats
    /// Whether every target accepts the operation's requests, because they are translated or estimated if needed.
    private let takesEveryTarget: Bool
    /// Whether clients can send back reasoning from models of other formats.
    private let getsForeignReasoning: Bool
    /// Formats of the upstreams that receive requests unchanged, without a check of their history.
    private let formatsAsTheyAre: SpokenFormats
    /// Returns nanoseconds since 1970.
    package let realtime: @Sendable () -> Int64
    /// Maximum number of bytes of a form before its model is known.
    let formKept: Int
    let eventLimit: Int
    /// Whether a capability needs the cached tokens that upstreams report.
    let readsCache: Bool
    /// Whether the gateway estimates the tokens of requests whose upstreams do not count them.
    let estimatesUsage: Bool
    /// Whether requests for a compaction get a summary from upstreams that cannot compact.
    package let summarizes: Bool
    package let stored: StoredResponseAccess
    /// Responses that the gateway stores itself; nil if it stores none.
    package let kept: LocalResponses?
    /// Request heads by upstream number; nil for upstreams that serve no model.
    private let heads: [RequestHeads?]

    package init(
        operation: RelayOperation, snapshot: RelaySnapshot, middlewares: [any RelayMiddleware],
        explainer: any RequestExplaining, realtime: @escaping @Sendable () -> Int64
    ) {
        summarizes = snapshot.summarizes && [.responses, .messages].contains(operation.requestFormat)
        var operation = operation
        operation.summarizes = summarizes && operation.compacts
        self.operation = operation
        tokenUse = TokenUse(ofOperation: operation.id)
        isMended = operation.isMended
        self.realtime = realtime
        format = operation.format
        answerFormat = operation.answerFormat
        let formats = operation.requestFormat.map(SpokenFormats.init) ?? []
        self.formats = formats
        takesEveryTarget = !formats.isEmpty && (!operation.compacts || summarizes)
        // Clients in this format get reasoning from providers of other formats, and send it back.
        let getsForeignReasoning =
            !formats.isEmpty && snapshot.models.upstreams.contains { $0.speaks.isDisjoint(with: formats) }
        let isOllamas = if case .ollama = operation.dialect { true } else { false }
        kept = operation.requestFormat == .responses ? snapshot.kept : nil
        self.getsForeignReasoning = getsForeignReasoning
        formatsAsTheyAre =
            getsForeignReasoning || isOllamas || kept != nil || summarizes ? [] : formats.isEmpty ? .all : formats
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
        estimatesUsage = snapshot.readsCache && operation.hasEstimates
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

    /// Sends a request to a target of its model, at the end of the chain.
    ///
    /// - Returns: a handle that cancels the request; nil if it is already over.
    func send(_ request: RelayRequest, completion: @escaping RequestHandler.Completion) -> (any Cancellable)? {
        do throws(GatewayError) {
            let route = try route(of: request.envelope.model, for: request.metadata.caller)
            try checkStored(request.envelope, request.metadata)
            try route.checkTier(of: request.envelope, for: request.metadata.caller)
            guard let target = route.single else {
                return RoutedRequest.start(request, on: route, self, completion: completion)
            }
            return RelayAttempt.start(request, at: target, target.upstream, self, completion: completion)
        } catch {
            completion(.failure(error))
            return nil
        }
    }

    /// Returns the route of the model, on which at least one target takes requests of this operation.
    ///
    /// - Throws: an error if the model is unknown, is not allowed to the caller, or has no such target.
    package func route(of model: String, for caller: ClientKey) throws(GatewayError) -> ModelRoute {
        guard let route = models.route(of: model) else {
            let names = models.names.filter(caller.allows(model:))
            throw .unknownModel(model, nearest: nearest(model, in: names), names: names)
        }
        guard caller.allows(model: model) else { throw .modelNotAllowed(model) }
        guard takesEveryTarget || route.targets.contains(where: takes) else { throw untaken(model, on: route) }
        return route
    }

    /// Returns the error for a request that no target accepts, because of its route or its content.
    package func untaken(_ model: String, on route: ModelRoute) -> GatewayError {
        let rest = route.targets.first { $0.condition == nil } ?? route.targets[0]
        if operation.compacts { return .compactionNotSupported(by: rest.upstream.name, model: model) }
        return .dialectNotSpoken(
            by: rest.upstream.name, rest.speaksAnthropic ? .anthropic : .openAI, model: model,
            route: operation.dialect)
    }

    /// Returns whether a target takes requests of the operation, translated or not.
    package func takes(_ target: ModelTarget) -> Bool {
        if takesEveryTarget { return true }
        if operation.compacts { return takesFormat(target.upstream) }
        let isAnthropicRoute = if case .anthropic = operation.dialect { true } else { false }
        return isAnthropicRoute == target.speaksAnthropic
    }

    /// Returns whether an upstream gets requests of the operation unchanged.
    func relays(to upstream: Upstream) -> Bool { upstream.speaks.rawValue & formatsAsTheyAre.rawValue != 0 }

    /// Returns whether the gateway estimates tokens itself, since the upstream cannot count them.
    func estimates(for upstream: Upstream) -> Bool {
        format == nil && !operation.compacts && !takesFormat(upstream)
    }

    /// Returns whether the gateway estimates tokens itself for a model, since its target cannot count them or was found
    /// to be unable to.
    ///
    /// - Parameter model: the public name of the model.
    func estimates(for target: ModelTarget, _ model: String) -> Bool {
        estimates(for: target.upstream)
            || target.upstream.repairs.isInUse && operation.countsTokens
                && target.upstream.repairs.repairs(of: operation, target.name(of: model)).contains(.countTokens)
    }

    private func takesFormat(_ upstream: Upstream) -> Bool {
        formats.rawValue == 0 || upstream.speaks.rawValue & formats.rawValue != 0
    }

    /// Returns the preparation of requests for an upstream that does not get them unchanged.
    ///
    /// - Parameter turn: the turn that the gateway stores; nil if it stores nothing of the request.
    func preparation(
        of envelope: RequestEnvelope, for target: ModelTarget, _ upstream: Upstream, _ turn: LocalTurn?
    ) -> RequestPreparation {
        if operation.embeddingForm == nil, takesFormat(upstream), !summarizes(envelope, for: upstream) {
            // The history of a stored conversation can contain reasoning from other models.
            let isForeign = getsForeignReasoning || turn?.conversationID != nil || summarizes
            return isForeign ? .withoutForeignReasoning(operation.requestFormat?.wire) : .own
        }
        if estimates(for: upstream) { return .tokenEstimate }
        let translation = OutgoingTranslation(
            of: operation, for: target, keepsResponses: turn != nil, summarizes: summarizes)
        guard let translation else { preconditionFailure("\(operation.id) is never translated") }
        return .translation(translation)
    }

    /// Returns whether the gateway requests a summary from an upstream that speaks the client's format, instead of the
    /// compaction that the client requested.
    package func summarizes(_ envelope: RequestEnvelope, for upstream: Upstream) -> Bool {
        guard summarizes, let format = operation.requestFormat, !upstream.compacts(format) else { return false }
        return operation.compacts
            || operation.format != nil && Compaction.isRequested(by: envelope.bytes, in: format)
    }

    func head(for attempt: RelayAttempt, of client: HeadFields) -> OutgoingHead {
        head(
            to: attempt.upstream, isStream: attempt.isStream, model: attempt.target.model ?? attempt.model, of: client,
            caller: attempt.metadata.record.facts.keyName ?? "")
    }

    /// - Parameters:
    ///   - model: the upstream's name for the model.
    ///   - caller: the name of the client's key.
    package func head(
        to upstream: Upstream, isStream: Bool, model: String, of client: HeadFields, caller: @autoclosure () -> String
    ) -> OutgoingHead {
        guard let heads = heads[upstream.number] else {
            preconditionFailure("no heads are made for \(upstream.name)")
        }
        return heads.head(isStream: isStream, client: client, caller: caller(), model: model)
    }

    // MARK: Stored responses

    /// Refuses a request that continues another caller's response.
    package func checkStored(_ envelope: RequestEnvelope, _ metadata: ServerRequestMetadata) throws(GatewayError) {
        if operation.shape.isStored || envelope.state != nil { try stored.check(envelope, metadata) }
    }

    /// Returns a closure that records an id or token that later requests can continue; nil if the operation has none.
    func storedNote(for attempt: RelayAttempt) -> ((UnsafeRawBufferPointer) -> Void)? {
        guard operation.shape.isStored || operation.shape.hasThreads && (attempt.keepsThread || !stored.isOpen) else {
            return nil
        }
        let (stored, maker, mark) = (stored, StoredResponseAccess.maker(attempt.metadata), attempt.upstream.mark)
        return { stored.note($0, madeBy: maker, at: mark) }
    }

    /// Returns the upstream that has the response that the request continues; nil if it is not known.
    func upstream(continuedBy envelope: RequestEnvelope) -> UpstreamMark? {
        if let state = envelope.state {
            return (state.previousMessageID ?? state.creditToken).flatMap(stored.upstream)
        }
        return operation.shape.isStored ? envelope.previousResponseID.flatMap(stored.upstream) : nil
    }

    // MARK: Streams

    /// Returns the transform of the upstream's events.
    func transform(for attempt: RelayAttempt) -> any StreamTransform {
        switch operation.response {
        case .choices:
            return ChatStreamTransform(
                options: ChatStreamTransform.Options(
                    publicModel: attempt.publicModel, choices: attempt.choices, keepsUsage: attempt.asksUsage,
                    readsCache: readsCache,
                    eventLimit: eventLimit, errors: attempt.upstream.errors))
        case .typed(let shape), .anything(let shape):
            let note = storedNote(for: attempt)
            let notesID = operation.shape.isStored || attempt.keepsThread
            return TypedStreamTransform(
                options: TypedStreamTransform.Options(
                    publicModel: attempt.publicModel, terminal: shape.terminal, silent: shape.silent,
                    failing: shape.failing, endsWithDone: shape.endsWithDone, eventLimit: eventLimit,
                    errors: attempt.upstream.errors, noteID: notesID ? note : nil,
                    noteToken: operation.shape.hasThreads ? note : nil))
        case .document, .media: preconditionFailure("\(operation.id) has no streams")
        }
    }
}
