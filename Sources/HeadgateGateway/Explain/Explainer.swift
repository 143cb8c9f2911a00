internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Explainer of requests that carry `x-headgate-explain: 1`. Nothing is sent upstream for such a request.
struct Explainer: RequestExplaining {
    /// Largest request that is explained on its event loop, in bytes. The whole request is searched for secrets.
    private static let longest = 16 << 10

    /// Whether every caller may request explanations.
    let isOpenToAll: Bool
    /// Definitions of all upstreams, including their secrets.
    let definitions: [UpstreamDefinition]

    func explains(_ call: RelayCall, _ envelope: RequestEnvelope) -> Bool {
        do throws(GatewayError) {
            guard try isAsked(by: call) else { return false }
        } catch {
            call.complete(.failure(error))
            return true
        }
        let handler = call.handler
        guard let kept = handler.kept, envelope.previousResponseID != nil || envelope.namesConversation else {
            explain(envelope, to: call)
            return true
        }
        let search = ContinuationSearch(kept: kept, access: handler.stored, now: handler.realtime(), isTurn: false)
        call.continued(envelope, call.metadata, search) { result in
            switch result {
            case .success(let continued): explain(continued.envelope, to: call)
            case .failure(let error): call.complete(.failure(error))
            }
        }
        return true
    }

    private func explain(_ envelope: RequestEnvelope, to call: RelayCall) {
        let (middlewares, caller) = (call.handler.middlewares, call.metadata.caller)
        call.work(on: envelope.size, call.metadata) { () throws(GatewayError) in
            try middlewares.meaning(of: envelope, for: caller)
        } then: { result in
            switch result {
            case .success(let envelope): respond(to: call, envelope)
            case .failure(let error): call.complete(.failure(error))
            }
        }
    }

    private func respond(to call: RelayCall, _ envelope: RequestEnvelope) {
        do throws(GatewayError) {
            let question = try ExplanationQuestion(envelope, asked: call)
            let handler = call.handler
            guard envelope.size > Explainer.longest else {
                let explanation = try handler.explanation(question, hiding: definitions)
                return call.complete(.success(Explanation.response(explanation.document)))
            }
            call.aside(call.metadata) { () throws(GatewayError) in
                try handler.explanation(question, hiding: definitions).document
            } then: { result in
                call.complete(result.map(Explanation.response))
            }
        } catch {
            call.complete(.failure(error))
        }
    }

    private func isAsked(by call: RelayCall) throws(GatewayError) -> Bool {
        switch call.request.fields.value(of: .xHeadgateExplain) {
        case "1": break
        case "0", nil: return false
        default: throw .unclearExplanation
        }
        call.metadata.record.facts.isExplanation = true
        guard call.metadata.caller.isAdmin || isOpenToAll else { throw .explanationNotForThisKey }
        return true
    }
}

/// Request to be explained, with everything that its explanation depends on.
struct ExplanationQuestion: Sendable {
    let envelope: RequestEnvelope
    /// Headers of the client's request.
    let fields: HeadFields
    let route: ModelRoute
    /// Name of the caller.
    let caller: String
    /// Name of the caller's group.
    let group: String?
    /// Monotonic nanoseconds.
    let now: UInt64

    /// - Throws: the error that the request itself would be refused with.
    init(_ envelope: RequestEnvelope, asked request: RelayCall) throws(GatewayError) {
        let metadata = request.metadata
        route = try request.handler.route(of: envelope.model, for: metadata.caller)
        try request.handler.checkStored(envelope, metadata)
        try route.checkTier(of: envelope, for: metadata.caller)
        metadata.record.facts.model = envelope.model
        self.envelope = envelope
        fields = request.request.fields
        caller = metadata.caller.name
        group = metadata.caller.group
        now = metadata.record.now
    }
}

extension [any RelayMiddleware] {
    /// Returns the envelope that the targets would receive.
    fileprivate func meaning(of envelope: RequestEnvelope, for caller: ClientKey) throws(GatewayError)
        -> RequestEnvelope
    {
        var envelope = envelope
        for case let middleware as any EnvelopeRewriting in self {
            envelope = try middleware.meaning(of: envelope, for: caller)
        }
        return envelope
    }
}
