internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Conditions under which a second attempt would start while the first is still running.
struct ExplainedHedge: Sendable {
    let after: HedgeConfiguration.Delay
    /// Delay in nanoseconds; nil while too few requests have been measured.
    let wait: UInt64?
    /// Whether the request can safely be sent to two of the targets.
    let isRepeatable: Bool

    /// Returns nil if the request would not be hedged.
    ///
    /// - Parameters:
    ///   - order: the targets that take the request, as indices into the route's targets.
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
