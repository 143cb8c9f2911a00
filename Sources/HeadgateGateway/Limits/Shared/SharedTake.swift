internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Request that the store of several gateways admits or refuses. If the store does not respond, this gateway counts
/// alone.
final class SharedTake: PendingCall {
    private let policy: LimitPolicy
    private let shared: SharedLimits
    private let request: RelayRequest
    private let next: RelayNext
    private let completion: RequestHandler.Completion
    private var claims: [LimitClaim]

    /// - Parameter claims: claims that count the request itself.
    init(
        _ claims: [LimitClaim], _ policy: LimitPolicy, _ shared: SharedLimits, _ request: RelayRequest,
        next: RelayNext, completion: @escaping RequestHandler.Completion
    ) {
        self.claims = claims
        self.policy = policy
        self.shared = shared
        self.request = request
        self.next = next
        self.completion = completion
    }

    private var record: RequestRecord { request.metadata.record }
    private var isStrict: Bool { claims.contains { $0.rules.budget?.isStrict ?? false } }
    private var now: LimitInstant { LimitInstant(monotonic: record.now, realtime: next.realtime) }

    func start() {
        do throws(GatewayError) {
            try shared.checkKnown(claims.map(\.rules), by: policy, for: record, realtime: next.realtime)
            guard let epoch = shared.store.epoch else { return try takeAlone() }
            let (now, ledgerWorks) = (now, policy.ledgerWorks(isStrict: isStrict))
            let question = policy.counters.withLock { [claims] counters in
                counters.question(of: claims, at: now, epoch: epoch, ledgerWorks: ledgerWorks)
            }
            if let refusal = question.refusal {
                throw policy.refused(refusal, LimitLevels(), for: record, realtime: now.realtime)
            }
            ask(question.claims)
        } catch {
            completion(.failure(error))
        }
    }

    private func ask(_ asked: [CounterClaim]) {
        wait {
            let wait = StoreWait { [self] answer in
                stepEnded()
                do throws(GatewayError) {
                    try receive(answer, to: asked)
                } catch {
                    completion(.failure(error))
                }
            } left: { [self] answer in
                // The client has disconnected meanwhile.
                stepEnded()
                giveBack(answer, asked)
            } cancelled: { [self] in
                completion(.failure(TransportError(.cancelled)))
            }
            shared.store.take(asked) { wait.finish($0) }
            return wait.isOver ? nil : wait
        }
    }

    private func receive(_ answer: CounterAnswer?, to asked: [CounterClaim]) throws(GatewayError) {
        guard let answer else {
            policy.counters.withLock { [claims] in $0.takeBack(asked, of: claims) }
            return try takeAlone()
        }
        let now = now
        let verdict = SharedVerdict(claims, asked, answer, realtime: now.realtime)
        if let refusal = verdict.refusal {
            policy.counters.withLock { [claims] in $0.learn(answer.levels, of: claims) }
            shared.note(refusal, of: claims, at: now.monotonic)
            throw policy.refused(refusal, verdict.levels, for: record, realtime: now.realtime)
        }
        let lease = hold(answer.lease, verdict.levels, now) { $0.learn(answer.levels, of: $1) }
        goOn(lease, now)
    }

    /// Counts the request by this gateway alone. Strict budgets refuse it, because the use by other gateways is
    /// unknown.
    private func takeAlone() throws(GatewayError) {
        shared.noteAlone()
        let now = now
        var refusal: LimitRefusal?
        var levels = LimitLevels()
        var taken = claims
        policy.counters.withLock { counters in
            refusal = counters.take(&taken, at: now, ledgerWorks: false)
            levels = counters.levels(of: taken, at: now)
        }
        claims = taken
        if let refusal { throw policy.refused(refusal, levels, for: record, realtime: now.realtime) }
        goOn(keep(LimitLease(policy.counters, claims, levels: levels, shared: .alone), now), now)
    }

    /// Counts a request that the store has admitted in this gateway's counters too.
    @discardableResult
    private func hold(
        _ lease: (any CounterLease)?, _ levels: LimitLevels, _ now: LimitInstant,
        _ learn: (inout LimitCounters, [LimitClaim]) -> Void
    ) -> LimitLease {
        var taken = claims
        policy.counters.withLock { counters in
            counters.take(&taken, at: now, ledgerWorks: true, isAdmitted: true)
            learn(&counters, taken)
        }
        claims = taken
        let shared = lease.map(SharedLease.leased) ?? .alone
        return keep(LimitLease(policy.counters, claims, levels: levels, shared: shared), now)
    }

    private func keep(_ lease: LimitLease, _ now: LimitInstant) -> LimitLease {
        if record.isComplete {
            // The request's outcome has already been reported, so nothing else settles the lease.
            lease.settle(RequestUse(), at: now.monotonic)
        } else {
            record.lease = lease
        }
        return lease
    }

    private func giveBack(_ answer: CounterAnswer?, _ asked: [CounterClaim]) {
        guard let answer else { return policy.counters.withLock { [claims] in $0.takeBack(asked, of: claims) } }
        guard let lease = answer.lease else { return }
        hold(lease, LimitLevels(), now) { _, _ in }
    }

    private func goOn(_ lease: LimitLease, _ now: LimitInstant) {
        guard !record.isComplete else { return completion(.failure(TransportError(.cancelled))) }
        wait {
            next(request) { [self] result in
                stepEnded()
                completion(result.map { policy.told($0, of: lease, record.dialect, realtime: now.realtime) })
            }
        }
    }
}

/// Wait for the response of a store. The response is awaited even after the request is canceled, so that taken claims
/// are returned.
private final class StoreWait: Cancellable {
    private(set) var isOver = false
    private var isCancelled = false
    private var answered: ((CounterAnswer?) -> Void)?
    private var left: ((CounterAnswer?) -> Void)?
    private var cancelled: (() -> Void)?

    init(
        _ answered: @escaping (CounterAnswer?) -> Void, left: @escaping (CounterAnswer?) -> Void,
        cancelled: @escaping () -> Void
    ) {
        self.answered = answered
        self.left = left
        self.cancelled = cancelled
    }

    func finish(_ answer: CounterAnswer?) {
        let (answered, left) = (answered, left)
        isOver = true
        forget()
        if isCancelled { left?(answer) } else { answered?(answer) }
    }

    func cancel() {
        guard !isOver, !isCancelled else { return }
        isCancelled = true
        cancelled?()
    }

    private func forget() { (answered, left, cancelled) = (nil, nil, nil) }
}
