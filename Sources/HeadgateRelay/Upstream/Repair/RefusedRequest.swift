/// Request that an upstream has refused, and its possible remedies. Pure.
struct RefusedRequest: Sendable {
    enum Remedy: Sendable {
        /// Sends this body instead.
        case body([UInt8], without: Repair)
        /// Estimates the tokens that the upstream cannot count.
        case estimate
        /// Reports that the upstream has no route for the request.
        case noRoute
    }

    let body: [UInt8]
    private let shape: ConversationShape?
    private let operation: RelayOperation
    /// Repairs not to try: already tried, or excluded by the configuration.
    private let excluded: Repairs

    /// Creates a refused request; nil if its operation is never repaired.
    ///
    /// - Parameters:
    ///   - body: validated body, as sent.
    ///   - operation: operation requested from the upstream.
    ///   - excluded: repairs not to try.
    init?(_ body: [UInt8], of operation: RelayOperation, besides excluded: Repairs) {
        guard operation.isMended else { return nil }
        self.body = body
        shape = ConversationShape(operation)
        self.excluded = excluded
        self.operation = operation
    }

    /// Returns the remedy for a refusal; nil if the refusal is not a known one.
    func remedy(after refusal: UpstreamRefusal, status: Int) -> Remedy? {
        if operation.countsTokens || operation.compacts {
            guard KnownRefusal.lacksRoute(of: operation, refusal, status: status) else { return nil }
            return operation.compacts ? .noRoute : .estimate
        }
        return KnownRefusal.mended(body, of: shape, after: refusal, status: status, besides: excluded)
            .map { .body($0.body, without: $0.repair) }
    }
}

extension RelayOperation {
    /// Whether the gateway can repair a refused request of this operation.
    var isMended: Bool { ConversationShape(self) != nil || shape.encodesVectors }
}
