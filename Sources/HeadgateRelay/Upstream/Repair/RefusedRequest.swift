internal import HeadgateContract

/// A request that an upstream has refused, and what can be done about it. Pure.
struct RefusedRequest: Sendable {
    enum Remedy: Sendable {
        /// Send this body.
        case body([UInt8], without: Repair)
        /// Estimate the tokens that the upstream cannot count.
        case estimate
    }

    let body: [UInt8]
    private let shape: ConversationShape?
    private let countsTokens: Bool
    /// Repairs that are not tried: they were, or are not wanted.
    private let excluded: Repairs

    /// Nil for a request that is never mended.
    ///
    /// - Parameters:
    ///   - body: as it was sent; it has been validated.
    ///   - operation: what the upstream was asked for.
    init?(_ body: [UInt8], of operation: RelayOperation, besides excluded: Repairs) {
        guard operation.isMended else { return nil }
        self.body = body
        shape = ConversationShape(operation)
        self.excluded = excluded
        countsTokens = operation.id == OperationTable.countMessageTokens.id
    }

    /// Nil for a refusal that is none of the known ones.
    func remedy(after refusal: UpstreamRefusal, status: Int) -> Remedy? {
        if countsTokens { return KnownRefusal.lacksTokenCount(refusal, status: status) ? .estimate : nil }
        return KnownRefusal.mended(body, of: shape, after: refusal, status: status, besides: excluded)
            .map { .body($0.body, without: $0.repair) }
    }
}

extension RelayOperation {
    /// Whether a refusal of one of its requests may be mended.
    var isMended: Bool { ConversationShape(self) != nil || shape.encodesVectors }
}
