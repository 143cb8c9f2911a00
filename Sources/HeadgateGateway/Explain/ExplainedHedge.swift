internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// When a second attempt would begin beside the first.
struct ExplainedHedge: Sendable {
    let after: HedgeConfiguration.Delay
    /// Nanoseconds; nil while too few requests are measured.
    let wait: UInt64?
    /// Whether the request may be sent to two of the targets.
    let isRepeatable: Bool

    /// - Parameters:
    ///   - order: of the targets that take the request, as indices of the route's.
    ///   - now: monotonic nanoseconds.
    init?(
        _ route: ModelRoute, _ envelope: RequestEnvelope, of operation: RelayOperation, order: [Int], at now: UInt64
    ) {
        guard let hedge = route.hedge, order.count > 1, operation.hasCacheableResponses else { return nil }
        after = hedge.after
        wait = hedge.wait(isStream: envelope.isStream, at: now)
        let repeatable = SideEffects.areNone(of: envelope, operation, at: order.map { route.targets[$0] })
        isRepeatable = repeatable[0] && repeatable.count { $0 } > 1
    }

    func write(to output: inout JSONMembers) {
        output.append("after", after.text)
        output.append("after_ms", wait.map { Int(clamping: $0 / 1_000_000) })
        output.append("repeatable", isRepeatable)
    }
}
