package import HeadgateDialects

/// Changes a request before it is sent to a target that does not get it as the client wrote it.
enum RequestPreparation: Sendable {
    /// Applies the parameter rules of the target.
    case own
    /// Removes reasoning of other providers, which the client sends back in its history, then applies the rules.
    case withoutForeignReasoning(WireFormat?)
    /// Translates the request into another format than the client's.
    case translation(OutgoingTranslation)
    /// Sends nothing: the gateway itself estimates how many tokens the request has.
    case tokenEstimate

    enum Prepared: Sendable {
        case request(PreparedRequest)
        case tokens(Int)
    }

    /// - Throws: an error for the client, which names the member at fault.
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

/// A request as its target gets it, with what was changed.
package struct PreparedRequest: Sendable {
    /// In the format of the target, before its parameter rules.
    package let written: RequestEnvelope
    /// After the parameter rules.
    package let envelope: RequestEnvelope
    package let body: [UInt8]
    /// Members of the client's request that were left out.
    package let dropped: [String]
    /// Facts that the translation of the response needs; nil if it is not translated.
    package let context: ResponseContext?

    package init(
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
    package func withoutForeignReasoning(
        in format: WireFormat?
    ) throws(GatewayError) -> (envelope: RequestEnvelope, dropped: String?) {
        guard let format, let (bytes, member) = ForeignReasoning.removed(from: bytes, in: format) else {
            return (self, nil)
        }
        return (try RequestEnvelope(bytes, shape: shape), member)
    }
}
