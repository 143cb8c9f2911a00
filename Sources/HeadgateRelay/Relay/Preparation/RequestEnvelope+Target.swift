internal import HeadgateConfiguration
internal import HeadgateDialects
internal import JSONBytes

extension RequestEnvelope {
    /// Builds the body for a target and repairs the members that the target is known to refuse.
    ///
    /// - Returns: the body, and the client's members that were removed from it.
    func upstreamBody(for target: ModelTarget, of operation: RelayOperation) -> (
        bytes: [UInt8], dropped: [String]
    ) {
        let bytes = upstreamBody(model: target.model)
        let repairs = target.upstream.repairs.repairs(of: operation, target.name(of: model))
        guard !repairs.isEmpty, operation.isMended else { return (bytes, []) }
        let (mended, removed) = KnownRefusal.mended(bytes, of: ConversationShape(operation), by: repairs)
        return (mended, removed.filter { $0 != .streamOptions || asksUsage }.map(\.rawValue))
    }

    /// Applies the parameter rules of a target and parses the result again.
    package func prepared(
        for target: ModelTarget, of operation: RelayOperation
    ) throws(GatewayError) -> RequestEnvelope {
        var envelope = if let rewriting = target.parameters { try rewritten(by: rewriting) } else { self }
        if target.upstream.systemMessages == .joined, operation.format == .chat,
            let joined = SystemMessageJoining.joined(envelope.bytes)
        {
            envelope = try RequestEnvelope(joined, shape: shape)
        }
        if target.upstream.isOnDevice {
            try OnDeviceRules.check(
                envelope.bytes, of: operation, upstream: target.upstream.name, takesTools: target.upstream.takesTools())
        }
        return envelope
    }

    private func rewritten(by rewriting: ParameterRewriting) throws(GatewayError) -> RequestEnvelope {
        let rewritten: [UInt8]
        do throws(JSONError) {
            rewritten = try rewriting.rewritten(bytes)
        } catch {
            throw RequestEnvelope.fault(error)
        }
        return try RequestEnvelope(rewritten, shape: shape)
    }
}
