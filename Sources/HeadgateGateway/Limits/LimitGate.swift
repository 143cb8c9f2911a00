internal import HTTPTypes
internal import HeadgateHTTP

/// Refuses requests of callers who have used what they may, before their bodies are read, and counts the others.
struct LimitGate: ServerGate {
    let policy: LimitPolicy
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64

    func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws {
        guard !isExplanation(request) else { return }
        let record = metadata.record
        let caller = record.key ?? .unknown
        // They are counted in one step with what their models need.
        if let shared = policy.shared {
            return try shared.checkKnown(policy.rules(of: caller), by: policy, for: record, realtime: realtime())
        }
        try policy.begin(record, of: caller, realtime: realtime())
    }

    /// Who only asks what would happen sends nothing, whatever the answer.
    private func isExplanation(_ request: RequestHead) -> Bool {
        request.asksExplanation && request.fields.value(of: .xHeadgateExplain) == "1"
    }
}
