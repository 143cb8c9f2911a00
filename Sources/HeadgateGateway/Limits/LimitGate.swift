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
        try policy.begin(record, of: record.key ?? .unknown, realtime: realtime())
    }

    /// Who only asks what would happen sends nothing, whatever the answer.
    private func isExplanation(_ request: RequestHead) -> Bool {
        request.asksExplanation && request.fields.value(of: .xHeadgateExplain) == "1"
    }
}
