internal import HeadgateDialects
internal import HeadgateRelay
internal import JSONBytes

/// Body that the gateway would send to a target, with the rules that make it differ from the client's.
struct SentRequest {
    let body: [UInt8]
    let isStream: Bool
    let rules: [AppliedRule]

    /// - Throws: the error that the request would be refused with.
    init(_ envelope: RequestEnvelope, to target: ModelTarget, by handler: RelayHandler) throws(GatewayError) {
        let operation = handler.operation
        let outgoing = operation.outgoing(to: target.upstream)
        guard outgoing.id != operation.id || handler.summarizes(envelope, for: target.upstream),
            let translation = OutgoingTranslation(
                of: operation, for: target, keepsResponses: handler.kept != nil, summarizes: handler.summarizes)
        else {
            let (own, dropped) = try envelope.withoutForeignReasoning(in: operation.format?.wire)
            let request = try PreparedRequest(own, dropped: dropped.map { [$0] } ?? [], for: target, of: operation)
            self.init(request, [], target, operation)
            return
        }
        let format = AppliedRule(
            kind: .format, member: "format", before: JSONEscaping.literal(operation.format?.rawValue ?? operation.id),
            after: JSONEscaping.literal(outgoing.format?.rawValue ?? outgoing.id))
        self.init(try translation.translate(envelope), [format], target, outgoing)
    }

    private init(
        _ request: PreparedRequest, _ first: [AppliedRule], _ target: ModelTarget, _ operation: RelayOperation
    ) {
        body = request.body
        isStream = request.envelope.isStream
        rules =
            first + request.dropped.map { AppliedRule(kind: .drop, member: $0, before: nil, after: nil) }
            + AppliedRule.all(for: request.written, request.envelope, target, operation)
    }
}
