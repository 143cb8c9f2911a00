internal import HeadgateDialects

/// What becomes of a request before it is sent, where its target does not get it as the client has written it.
enum RequestPreparation: Sendable {
    /// By the parameter rules of the target alone.
    case own
    /// The same without what models of other providers have thought, which the client gives back in its history.
    case withoutForeignReasoning(WireFormat?)
    /// In another format than the client's.
    case translation(OutgoingTranslation)
    /// Nothing is sent: the gateway itself answers how many tokens the request is about.
    case tokenEstimate

    enum Prepared: Sendable {
        case request(PreparedRequest)
        case tokens(Int)
    }

    /// - Throws: what the client is told, which names the member at fault.
    func prepare(
        _ envelope: RequestEnvelope, for target: ModelTarget, of operation: RelayOperation
    ) throws(GatewayError) -> Prepared {
        switch self {
        case .own: .request(try PreparedRequest(envelope, dropped: [], for: target, of: operation))
        case .withoutForeignReasoning(let format):
            .request(try RequestPreparation.prepare(envelope, withoutForeignReasoningIn: format, target, operation))
        case .translation(let translation): .request(try translation.translate(envelope))
        case .tokenEstimate: .tokens(try RequestPreparation.tokens(of: envelope.bytes))
        }
    }

    private static func prepare(
        _ envelope: RequestEnvelope, withoutForeignReasoningIn format: WireFormat?, _ target: ModelTarget,
        _ operation: RelayOperation
    ) throws(GatewayError) -> PreparedRequest {
        let (own, dropped) = try envelope.withoutForeignReasoning(in: format)
        return try PreparedRequest(own, dropped: dropped.map { [$0] } ?? [], for: target, of: operation)
    }

    /// - Parameter body: of a request in Anthropic's form.
    static func tokens(of body: [UInt8]) throws(GatewayError) -> Int {
        do throws(TranslationError) {
            return try TokenEstimate.ofMessages(body)
        } catch {
            throw GatewayError(untranslatable: error)
        }
    }
}

/// A request as its target gets it.
struct PreparedRequest: Sendable {
    /// Before the parameter rules of the target, in its format.
    let written: RequestEnvelope
    /// After them.
    let envelope: RequestEnvelope
    let body: [UInt8]
    /// Members of the client's request that it does not have.
    let dropped: [String]
    /// What its response is translated by; nil if it is not.
    let context: ResponseContext?

    init(
        _ written: RequestEnvelope, dropped: [String], for target: ModelTarget, of operation: RelayOperation,
        context: ResponseContext? = nil
    ) throws(GatewayError) {
        self.written = written
        self.context = context
        envelope = try written.prepared(for: target, of: operation)
        let (body, removed) = envelope.upstreamBody(for: target, of: operation)
        self.body = body
        self.dropped = dropped + removed
    }
}

extension RequestEnvelope {
    /// The request without reasoning of other providers, and the member that held it; itself where there is none.
    func withoutForeignReasoning(
        in format: WireFormat?
    ) throws(GatewayError) -> (envelope: RequestEnvelope, dropped: String?) {
        guard let format, let (bytes, member) = ForeignReasoning.removed(from: bytes, in: format) else {
            return (self, nil)
        }
        return (try RequestEnvelope(bytes, shape: shape), member)
    }
}
