internal import HeadgateHTTP
internal import HeadgatePrimitives

/// What a request has claimed of its limits: it is in flight until its response goes out, and what it has used is
/// counted at its outcome. Loop-confined.
final class LimitLease: RequestLease {
    private let counters: Locked<LimitCounters>
    private var claims: [LimitClaim]
    /// What is left, once the request was read or refused.
    private(set) var levels = LimitLevels()
    private var isInFlight = true
    private let shared: SharedLease?

    /// - Parameters:
    ///   - claims: those that are taken already, or will be.
    ///   - shared: the part of the store of several gateways; nil where this one counts by itself.
    init(
        _ counters: Locked<LimitCounters>, _ claims: [LimitClaim], levels: LimitLevels = LimitLevels(),
        shared: SharedLease? = nil
    ) {
        self.counters = counters
        self.claims = claims
        self.levels = levels
        self.shared = shared
    }

    /// Whether some budget has to be known.
    var isStrict: Bool { claims.contains { $0.rules.budget?.isStrict ?? false } }
    var countsCost: Bool { claims.contains { $0.rules.countsCost } }
    var countsTokens: Bool { claims.contains { $0.rules.countsTokens } }
    private var limitsFlights: Bool { claims.contains { $0.rules.inFlight != nil } }

    /// The request is read.
    ///
    /// - Parameter model: the limits of its model; nil for none.
    func reserve(_ need: LimitNeed, ofModel model: LimitRules?) {
        for index in claims.indices {
            claims[index].reserve = need.reserve
            claims[index].cost = need.cost
            claims[index].outputCost = need.outputCost
        }
        if let model { claims.append(LimitClaim(rules: model, isCounted: true, reserve: need.reserve)) }
    }

    /// Takes all that is claimed, or nothing more than before.
    ///
    /// - Parameter isRead: whether the request is; before, levels are for those alone who are refused.
    func take(at now: LimitInstant, ledgerWorks: Bool, isRead: Bool) -> LimitRefusal? {
        var (refusal, claims, levels) = (LimitRefusal?.none, [LimitClaim](), LimitLevels())
        swap(&claims, &self.claims)
        counters.withLock { counters in
            refusal = counters.take(&claims, at: now, ledgerWorks: ledgerWorks)
            if refusal != nil { counters.giveBack(claims, at: now.monotonic) }
            if refusal != nil || isRead { levels = counters.levels(of: claims, at: now) }
        }
        if refusal != nil {
            // What was taken before still has to be let go of.
            claims.removeAll { !$0.holds }
            for index in claims.indices { claims[index].forgetReserve() }
        }
        self.levels = levels
        swap(&claims, &self.claims)
        return refusal
    }

    /// Has the request land when its response goes out: at once where that is whole, otherwise before the end of it
    /// does, so that no client is refused that waits for one response before it sends the next request.
    func follow(_ response: ServerResponse) -> ServerResponse {
        guard isInFlight, limitsFlights else { return response }
        guard case .stream(let source)? = response.body else {
            releaseSlot()
            return response
        }
        var followed = response
        followed.body = .stream(LandingBody(source, self))
        return followed
    }

    func releaseSlot() {
        guard isInFlight, limitsFlights else { return }
        isInFlight = false
        var claims: [LimitClaim] = []
        swap(&claims, &self.claims)
        shared?.land(claims)
        counters.withLock { $0.land(&claims) }
        swap(&claims, &self.claims)
    }

    func assumeUse(in outcome: inout Outcome) {
        guard let claim = claims.first(where: { $0.holds && $0.rules.budget != nil }) else { return }
        outcome.assumeUse(claim)
    }

    func assumeUse(in entry: inout LedgerEntry) {
        guard let claim = claims.first(where: { $0.holds && $0.rules.budget != nil }), let reserve = claim.reserve
        else { return }
        entry.promptTokens = reserve.input
        if reserve.output > 0 { entry.completionTokens = reserve.assumedOutput }
        if claim.cost > 0 || claim.outputCost > 0 { entry.cost = claim.openCost(reserve.assumedOutput) }
        entry.source = .estimated
    }

    func settle(_ outcome: inout Outcome) { settle(RequestUse(outcome), at: outcome.endedAt) }

    /// - Parameter now: monotonic nanoseconds.
    func settle(_ use: RequestUse, at now: UInt64) {
        let claims = claims
        self.claims = []
        counters.withLock { $0.settle(claims, use, at: now) }
        shared?.settle(claims, use, at: now, counters)
    }
}

extension RequestRecord {
    /// The lease of this feature's own.
    var limitLease: LimitLease? { lease as? LimitLease }
}

/// A stream whose request has landed before the end is passed on.
private final class LandingBody: BodyStage {
    private let lease: LimitLease

    init(_ source: any BodySource, _ lease: LimitLease) {
        self.lease = lease
        super.init(source)
    }

    override func finish(_ end: BodyEnd) {
        lease.releaseSlot()
        super.finish(end)
    }

    override func fail(_ error: any Error) {
        lease.releaseSlot()
        super.fail(error)
    }
}
