internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Gate that refuses the requests of callers who have reached a limit before reading the bodies, and counts the others.
struct LimitGate: ServerGate {
    let policy: LimitPolicy
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64

    func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws {
        guard !isExplanation(request) else { return }
        let record = metadata.record
        let caller = record.key ?? .unknown
        // The middleware counts the caller's limits in one step with those of the model.
        if let shared = policy.shared {
            return try shared.checkKnown(policy.rules(of: caller), by: policy, for: record, realtime: realtime())
        }
        try policy.begin(record, of: caller, realtime: realtime())
    }

    /// Returns whether the request asks only for an explanation; nothing is sent upstream for it.
    private func isExplanation(_ request: RequestHead) -> Bool {
        request.asksExplanation && request.fields.value(of: .xHeadgateExplain) == "1"
    }
}
