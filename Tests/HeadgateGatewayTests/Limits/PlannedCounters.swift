import HeadgateEventLoop
import HeadgatePrimitives

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A counter store with scripted replies that records its calls.
final class PlannedCounters: CounterStore {
    enum Plan: Sendable {
        case admit
        /// Refuses each request, with this many ticks ahead of each rate.
        case refuse(ahead: Int)
        /// Replies nil to each request, as if a call had failed.
        case silence
        /// The store is known to be unreachable.
        case down
        /// Replies when the test releases it.
        case held
    }

    struct Lease: CounterLease {
        let settled: Locked<[[CounterSettlement]]>

        func land(_ subjects: [String]) {}

        func settle(_ settlements: [CounterSettlement], completion: @escaping @Sendable (Bool) -> Void) {
            settled.withLock { $0.append(settlements) }
            completion(true)
        }
    }

    private struct Held {
        let answer: (CounterAnswer?) -> Void
        let claims: [CounterClaim]
    }

    let plan: Locked<Plan>
    let asked = Locked<[[CounterClaim]]>([])
    let settled = Locked<[[CounterSettlement]]>([])
    private let held = Locked<[Held]>([])

    init(_ plan: Plan) { self.plan = Locked(plan) }

    var epoch: UInt64? { if case .down = plan.withLock(\.self) { nil } else { 7 } }
    var isWorking: Bool { epoch != nil }

    func take(_ claims: [CounterClaim], completion: @escaping (CounterAnswer?) -> Void) {
        asked.withLock { $0.append(claims) }
        switch plan.withLock(\.self) {
        case .admit: completion(answer(to: claims, ahead: 16, isAdmitted: true))
        case .refuse(let ahead): completion(answer(to: claims, ahead: ahead, isAdmitted: false))
        case .silence, .down: completion(nil)
        case .held: held.withLock { $0.append(Held(answer: completion, claims: claims)) }
        }
    }

    /// Admits all held requests.
    func release() {
        let all = held.withLock { held in
            defer { held = [] }
            return held
        }
        for one in all { one.answer(answer(to: one.claims, ahead: 16, isAdmitted: true)) }
    }

    private func answer(to claims: [CounterClaim], ahead: Int, isAdmitted: Bool) -> CounterAnswer {
        let levels = claims.map { claim in
            CounterAnswer.Level(
                ahead: claim.rates.map { _ in ahead }, inFlight: 0,
                budget: claim.budget.map { CounterAnswer.Budget(spent: 0, reserved: 0, start: $0.start) })
        }
        return CounterAnswer(levels: levels, lease: isAdmitted ? Lease(settled: settled) : nil)
    }
}
