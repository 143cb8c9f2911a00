import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateStores
import HeadgateTesting

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Counters of one gateway, alone or with a shared store, as its middleware uses them.
final class CountingGateway: Sendable {
    struct Taken: Sendable {
        let refusal: LimitRefusal?
        let levels: LimitLevels
        /// Claims of the request; nil if it was refused.
        let held: Held?
        /// Whether the shared store decided.
        let isShared: Bool
        /// Time until the decision.
        var waited = Duration.zero
    }

    /// Claims of an admitted request.
    struct Held: Sendable {
        let counters: Locked<LimitCounters>
        let claims: [LimitClaim]
        let shared: SharedLease
    }

    let counters = Locked(LimitCounters())
    let store: RedisCounterStore?
    let reports = Mailbox<String>()
    private let group: EventLoopGroup
    /// Server that ends with this gateway.
    private let server: RedisServer?

    /// - Parameters:
    ///   - server: Redis server of the counters; nil for a gateway with in-process counters.
    ///   - reply: longest wait for the server, longer than a busy machine can take.
    init(_ server: RedisServer?, group: EventLoopGroup, reply: Duration = .seconds(60)) {
        (self.group, self.server) = (group, server)
        let reports = reports
        var patience = RedisPatience()
        (patience.greeting, patience.reply) = (60_000_000_000, reply.nanoseconds)
        store = server.map { server in
            RedisCounterStore(
                RedisAccess(RedisLocation(.socket(server.socket))), resolver: NameResolver(), group: group,
                patience: patience
            ) { reports.post($0) }
        }
        store?.start()
        for period in BudgetConfiguration.Period.allCases {
            counters.withLock { $0.restore(BudgetQuestion(period, at: CountingGateway.realtime / 1_000_000).nothing) }
        }
    }

    deinit { store?.stop() }

    func waitUntilShared() -> Bool { store?.waitUntilWorking(atMost: .seconds(120)) ?? true }

    /// Current time in nanoseconds since 1970.
    static var realtime: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    static var now: LimitInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return LimitInstant(
            monotonic: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec), realtime: realtime)
    }

    func take(_ claims: [LimitClaim], loop: Int = 0) async -> Taken {
        await withCheckedContinuation { continuation in
            group.loops[loop % group.loops.count].execute { [self] in
                let start = ContinuousClock.now
                ask(claims) { taken in
                    var taken = taken
                    taken.waited = start.duration(to: .now)
                    continuation.resume(returning: taken)
                }
            }
        }
    }

    private func ask(_ claims: [LimitClaim], _ completion: @escaping (Taken) -> Void) {
        guard let store, let epoch = store.epoch else { return completion(takeAlone(claims)) }
        let question = counters.withLock {
            $0.question(of: claims, at: CountingGateway.now, epoch: epoch, ledgerWorks: true)
        }
        store.take(question.claims) { [self] answer in
            guard let answer else {
                counters.withLock { $0.takeBack(question.claims, of: claims) }
                return completion(takeAlone(claims))
            }
            let now = CountingGateway.now
            let verdict = SharedVerdict(claims, question.claims, answer, realtime: now.realtime)
            var taken = claims
            counters.withLock { counters in
                if answer.lease != nil { counters.take(&taken, at: now, ledgerWorks: true, isAdmitted: true) }
                counters.learn(answer.levels, of: claims)
            }
            completion(
                Taken(
                    refusal: verdict.refusal, levels: verdict.levels,
                    held: answer.lease.map { Held(counters: counters, claims: taken, shared: .leased($0)) },
                    isShared: true))
        }
    }

    private func takeAlone(_ claims: [LimitClaim]) -> Taken {
        var taken = claims
        let (refusal, levels) = counters.withLock { counters in
            let refusal = counters.take(&taken, at: CountingGateway.now, ledgerWorks: true)
            return (refusal, counters.levels(of: taken, at: CountingGateway.now))
        }
        let held = Held(counters: counters, claims: taken, shared: .alone)
        return Taken(refusal: refusal, levels: levels, held: refusal == nil ? held : nil, isShared: false)
    }
}

extension CountingGateway.Taken {
    /// Charges the use of a request that has ended.
    func settle(_ use: RequestUse = RequestUse()) {
        guard let held else { return }
        let (counters, now) = (held.counters, CountingGateway.now.monotonic)
        counters.withLock { $0.settle(held.claims, use, at: now) }
        held.shared.settle(held.claims, use, at: now, counters)
    }

    /// Releases the request's slots, and returns the result without them.
    func landed() -> CountingGateway.Taken {
        guard let held else { return self }
        var claims = held.claims
        held.shared.land(claims)
        held.counters.withLock { $0.land(&claims) }
        return CountingGateway.Taken(
            refusal: nil, levels: levels,
            held: CountingGateway.Held(counters: held.counters, claims: claims, shared: held.shared),
            isShared: isShared)
    }
}

/// Limits of one subject, and requests that they apply to.
struct Limited {
    let rules: LimitRules

    init(
        _ limits: UsageLimits = UsageLimits(), budget: BudgetConfiguration? = nil,
        _ kind: LimitSubject.Kind = .key, _ name: String = "a"
    ) {
        guard let rules = LimitRules(limits, budget: budget, of: LimitSubject(kind: kind, name: name)) else {
            preconditionFailure("nothing is limited")
        }
        self.rules = rules
    }

    /// Claim that reserves 100 prompt tokens and 512 output tokens.
    var claim: LimitClaim {
        LimitClaim(rules: rules, isCounted: true, reserve: TokenReserve(input: 100, output: 512))
    }
}
