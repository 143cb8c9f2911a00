internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import Synchronization

/// Limits that several gateways count together. If their store does not respond, each gateway counts alone.
package final class SharedLimits: Sendable {
    let store: any CounterStore
    /// Recent refusals.
    private let known = Locked(KnownRefusals())
    private let alone = Atomic(0)

    package init(_ store: any CounterStore) { self.store = store }

    /// Whether the store responds on all loops.
    var isWorking: Bool { store.isWorking }

    /// Number of requests that this gateway counted alone since its start.
    var countedAlone: Int { alone.load(ordering: .relaxed) }

    func noteAlone() { alone.wrappingAdd(1, ordering: .relaxed) }

    /// Refuses a request that the store would refuse again.
    ///
    /// - Parameter realtime: nanoseconds since 1970.
    func checkKnown(
        _ all: [LimitRules], by policy: LimitPolicy, for record: RequestRecord, realtime: Int64
    ) throws(GatewayError) {
        let now = record.now
        let found = known.withLock { known in all.reduce(nil) { known.refusal(of: $1, at: now) ?? $0 } }
        guard let found else { return }
        throw policy.refused(found.refusal, found.levels, for: record, realtime: realtime)
    }

    func note(_ refusal: LimitRefusal, of claims: [LimitClaim], at now: UInt64) {
        guard let claim = claims.first(where: { $0.rules.subject == refusal.subject }) else { return }
        known.withLock { $0.note(refusal, of: claim.rules, at: now) }
    }
}

extension LimitRefusal {
    var subject: LimitSubject {
        switch self {
        case .rate(let subject, _, _), .inFlight(let subject, _), .budget(let subject, _, _, _),
            .budgetUnknown(let subject, _):
            subject
        }
    }
}
