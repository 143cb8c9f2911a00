internal import HeadgateDialects
internal import HeadgateHTTP

/// An attempt at an upstream of the client's own format, where others speak otherwise: what their models have thought
/// may stand in the history that the client gives back, and this provider would refuse it.
class OwnReasoningAttempt: RelayAttempt {
    final override func prepare(_ envelope: RequestEnvelope, _ client: HeadFields) {
        let format = handler.format?.wire
        guard envelope.size > LongDocument.octets, let format else {
            do throws(GatewayError) {
                prepare(try envelope.withoutForeignReasoning(in: format), client)
            } catch {
                fail(error)
            }
            return
        }
        aside(metadata) { () throws(GatewayError) in
            try envelope.withoutForeignReasoning(in: format)
        } then: { [self] result in
            switch result {
            case .success(let cleaned): prepare(cleaned, client)
            case .failure(let error): fail(error)
            }
        }
    }

    private func prepare(_ cleaned: (envelope: RequestEnvelope, dropped: String?), _ client: HeadFields) {
        dropped = cleaned.dropped.map { [$0] } ?? []
        super.prepare(cleaned.envelope, client)
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
