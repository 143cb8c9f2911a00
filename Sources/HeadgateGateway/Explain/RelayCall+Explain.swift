internal import HTTPTypes
internal import HeadgateHTTP

extension RelayCall {
    /// Octets of a request that is explained on its loop; secrets are looked for in all of it.
    private static let longest = 16 << 10

    /// Answers what would happen to the request, if it asks for that, and sends nothing.
    ///
    /// - Returns: whether it has asked; then it is answered, now or later.
    func isExplained(_ envelope: RequestEnvelope) -> Bool {
        do throws(GatewayError) {
            guard try isExplanationAsked() else { return false }
        } catch {
            complete(.failure(error))
            return true
        }
        guard let kept = handler.kept, envelope.previousResponseID != nil || envelope.namesConversation else {
            explain(envelope)
            return true
        }
        let search = ContinuationSearch(kept: kept, access: handler.stored, now: handler.realtime(), isTurn: false)
        continued(envelope, metadata, search) { [self] result in
            switch result {
            case .success(let continued): explain(continued.envelope)
            case .failure(let error): complete(.failure(error))
            }
        }
        return true
    }

    private func explain(_ envelope: RequestEnvelope) {
        let (middlewares, caller) = (handler.middlewares, metadata.caller)
        work(on: envelope.size, metadata) { () throws(GatewayError) in
            try middlewares.meaning(of: envelope, for: caller)
        } then: { [self] result in
            switch result {
            case .success(let envelope): answer(envelope)
            case .failure(let error): complete(.failure(error))
            }
        }
    }

    private func answer(_ envelope: RequestEnvelope) {
        do throws(GatewayError) {
            let question = try ExplanationQuestion(envelope, asked: self)
            let handler = handler
            guard envelope.size > RelayCall.longest else {
                return complete(.success(Explanation.response(try handler.explanation(question).document)))
            }
            aside(metadata) { () throws(GatewayError) in
                try handler.explanation(question).document
            } then: { [self] result in
                complete(result.map(Explanation.response))
            }
        } catch {
            complete(.failure(error))
        }
    }

    private func isExplanationAsked() throws(GatewayError) -> Bool {
        switch request.fields.value(of: .xHeadgateExplain) {
        case "1": break
        case "0", nil: return false
        default: throw .unclearExplanation
        }
        metadata.record.facts.isExplanation = true
        guard metadata.caller.isAdmin || handler.explainsToAll else { throw .explanationNotForThisKey }
        return true
    }
}

/// A request that asks what would happen to it, with all that decides this.
struct ExplanationQuestion: Sendable {
    let envelope: RequestEnvelope
    /// Of the client's request.
    let fields: HeadFields
    let route: ModelRoute
    /// The caller's name.
    let caller: String
    /// Monotonic nanoseconds.
    let now: UInt64

    /// - Throws: what the request itself would be refused with.
    init(_ envelope: RequestEnvelope, asked request: RelayCall) throws(GatewayError) {
        let metadata = request.metadata
        route = try request.handler.route(of: envelope.model, for: metadata.caller)
        try request.handler.checkStored(envelope, metadata)
        metadata.record.facts.model = envelope.model
        self.envelope = envelope
        fields = request.request.fields
        caller = metadata.caller.name
        now = metadata.record.now
    }
}

extension [any RelayMiddleware] {
    /// The envelope that the targets would get.
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
