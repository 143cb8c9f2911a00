internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Claims of a request on its limits. The request is in flight until its response is sent; its use is counted at its
/// outcome. Loop-confined.
final class LimitLease: RequestLease {
    private let counters: Locked<LimitCounters>
    // Unchecked: nothing is called while one of these properties is accessed (decision 4).
    @exclusivity(unchecked) private var claims: [LimitClaim]
    /// Levels of its limits, once the request was read or refused.
    @exclusivity(unchecked) private(set) var levels = LimitLevels()
    @exclusivity(unchecked) private var isInFlight = true
    private let shared: SharedLease?

    /// - Parameters:
    ///   - claims: claims that were taken already, or will be.
    ///   - shared: lease of the store of several gateways; nil if no store is configured.
    init(
        _ counters: Locked<LimitCounters>, _ claims: [LimitClaim], levels: LimitLevels = LimitLevels(),
        shared: SharedLease? = nil
    ) {
        self.counters = counters
        self.claims = claims
        self.levels = levels
        self.shared = shared
    }

    /// Whether a budget refuses requests while its use is unknown.
    var isStrict: Bool { claims.contains { $0.rules.budget?.isStrict ?? false } }
    var countsCost: Bool { claims.contains { $0.rules.countsCost } }
    var countsTokens: Bool { claims.contains { $0.rules.countsTokens } }
    private var limitsFlights: Bool { claims.contains { $0.rules.inFlight != nil } }

    /// Adds the needs of the request, once its body is read.
    ///
    /// - Parameter model: limits of its model; nil for none.
    func reserve(_ need: LimitNeed, ofModel model: LimitRules?) {
        for index in claims.indices {
            claims[index].reserve = need.reserve
            claims[index].cost = need.cost
            claims[index].outputCost = need.outputCost
        }
        if let model { claims.append(LimitClaim(rules: model, isCounted: true, reserve: need.reserve)) }
    }

    /// Takes all claims, or nothing more than before.
    ///
    /// - Parameter isRead: whether the request's body is read. Before that, only a refused request needs the levels.
    /// - Returns: the reason of a refusal; nil if the request is admitted.
    func take(at now: LimitInstant, ledgerWorks: Bool, isRead: Bool) -> LimitRefusal? {
        var (refusal, claims, levels) = (LimitRefusal?.none, [LimitClaim](), LimitLevels())
        swap(&claims, &self.claims)
        counters.withLock { counters in
            refusal = counters.take(&claims, at: now, ledgerWorks: ledgerWorks)
            if refusal != nil { counters.giveBack(claims, at: now.monotonic) }
            if refusal != nil || isRead { levels = counters.levels(of: claims, at: now) }
        }
        if refusal != nil {
            // Claims that were taken before still have to be settled.
            claims.removeAll { !$0.holds }
            for index in claims.indices { claims[index].forgetReserve() }
        }
        self.levels = levels
        swap(&claims, &self.claims)
        return refusal
    }

    /// Releases the in-flight slot when the response is sent: at once for a complete response, otherwise just before
    /// the stream ends. A client that waits for one response before it sends the next request is therefore not refused.
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
    /// Lease of this type; nil without limits.
    var limitLease: LimitLease? { lease as? LimitLease }
}

/// Stream that releases its request's in-flight slot before it passes on the end.
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
