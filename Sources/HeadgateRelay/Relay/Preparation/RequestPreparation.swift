package import HeadgateDialects

/// Preparation of a request for a target that does not receive it as the client wrote it.
enum RequestPreparation: Sendable {
    /// Applies the parameter rules of the target.
    case own
    /// Removes other providers' reasoning from the history that the client sends back, then applies the rules.
    case withoutForeignReasoning(WireFormat?)
    /// Translates the request to a format other than the client's.
    case translation(OutgoingTranslation)
    /// Sends nothing; the gateway itself estimates the tokens of the request.
    case tokenEstimate

    enum Prepared: Sendable {
        case request(PreparedRequest)
        case tokens(Int)
    }

    /// Prepares a request for its target.
    ///
    /// - Throws: ``GatewayError`` for the client that names the invalid member.
    func prepare(
        _ envelope: RequestEnvelope, for target: ModelTarget, of operation: RelayOperation
    ) throws(GatewayError) -> Prepared {
        switch self {
        case .own: .request(try PreparedRequest(envelope, dropped: [], for: target, of: operation))
        case .withoutForeignReasoning(let format):
            .request(try RequestPreparation.prepare(envelope, withoutForeignReasoningIn: format, target, operation))
        case .translation(let translation): .request(try translation.translate(envelope))
        case .tokenEstimate: .tokens(try RequestPreparation.tokens(of: envelope.bytes, operation))
        }
    }

    private static func prepare(
        _ envelope: RequestEnvelope, withoutForeignReasoningIn format: WireFormat?, _ target: ModelTarget,
        _ operation: RelayOperation
    ) throws(GatewayError) -> PreparedRequest {
        let (own, dropped) = try envelope.withoutForeignReasoning(in: format)
        return try PreparedRequest(own, dropped: dropped.map { [$0] } ?? [], for: target, of: operation)
    }

    /// Estimates the tokens of a request.
    ///
    /// - Parameter body: request body in the format of the operation.
    static func tokens(of body: [UInt8], _ operation: RelayOperation) throws(GatewayError) -> Int {
        do throws(TranslationError) {
            return try operation.dialect == .responses
                ? TokenEstimate.ofResponses(body) : TokenEstimate.ofMessages(body)
        } catch {
            throw GatewayError(untranslatable: error)
        }
    }
}

/// Request in the form that its target receives, with the changes that were made.
package struct PreparedRequest: Sendable {
    /// Request in the format of the target, before its parameter rules.
    package let written: RequestEnvelope
    /// Request after the parameter rules.
    package let envelope: RequestEnvelope
    package let body: [UInt8]
    /// Members of the client's request that were dropped.
    package let dropped: [String]
    /// Facts that the translation of the response needs; nil if it is not translated.
    let context: ResponseContext?

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
    /// Removes reasoning of other providers.
    ///
    /// - Returns: the request and the member that held the reasoning; the unchanged request and nil if there is none.
    package func withoutForeignReasoning(
        in format: WireFormat?
    ) throws(GatewayError) -> (envelope: RequestEnvelope, dropped: String?) {
        guard let format, let (bytes, member) = ForeignReasoning.removed(from: bytes, in: format) else {
            return (self, nil)
        }
        return (try RequestEnvelope(bytes, shape: shape), member)
    }
}
