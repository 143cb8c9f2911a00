internal import HeadgateDialects
internal import JSONBytes

/// The body that a target would be sent, and what makes it differ from the client's.
struct SentRequest {
    let body: [UInt8]
    let isStream: Bool
    let rules: [AppliedRule]

    /// - Parameter keepsResponses: whether the gateway does what `store` asks for.
    /// - Throws: what the request would be refused with.
    init(
        _ envelope: RequestEnvelope, of operation: RelayOperation, to target: ModelTarget, keepsResponses: Bool = false
    ) throws(GatewayError) {
        let outgoing = operation.outgoing(to: target.upstream)
        guard outgoing.id != operation.id,
            let translation = OutgoingTranslation(of: operation, for: target, keepsResponses: keepsResponses)
        else {
            let (own, dropped) = try envelope.withoutForeignReasoning(in: operation.format?.wire)
            let prepared = try own.prepared(for: target, of: operation)
            let (body, removed) = prepared.upstreamBody(for: target, of: operation)
            self.init(
                prepared, body,
                SentRequest.drops((dropped.map { [$0] } ?? []) + removed)
                    + AppliedRule.all(for: own, prepared, target, operation))
            return
        }
        let request = try translation.translate(envelope)
        let format = AppliedRule(
            kind: .format, member: "format", before: JSONEscaping.literal(operation.format?.rawValue ?? operation.id),
            after: JSONEscaping.literal(outgoing.format?.rawValue ?? outgoing.id))
        self.init(
            request.envelope, request.body,
            [format] + SentRequest.drops(request.dropped)
                + AppliedRule.all(for: request.translated, request.envelope, target, outgoing))
    }

    private static func drops(_ members: [String]) -> [AppliedRule] {
        members.map { AppliedRule(kind: .drop, member: $0, before: nil, after: nil) }
    }

    private init(_ envelope: RequestEnvelope, _ body: [UInt8], _ rules: [AppliedRule]) {
        self.body = body
        isStream = envelope.isStream
        self.rules = rules
    }
}
