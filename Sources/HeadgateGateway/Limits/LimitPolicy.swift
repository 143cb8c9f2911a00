internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Policy of all limits, shared by the gate and the middleware.
final class LimitPolicy: Sendable {
    let counters: Locked<LimitCounters>
    /// Limits of all requests together; nil for none.
    let overall: LimitRules?
    /// Ledger of the gateway; nil for none.
    let ledger: (any UsageLedger)?
    let hasResponseFields: Bool
    /// Limits that several gateways count together; nil if this gateway counts alone.
    let shared: SharedLimits?

    init(
        _ configuration: Configuration, ledger: (any UsageLedger)?, shared: SharedLimits?, _ state: GatewayState
    ) {
        counters = state.limits
        overall = LimitRules(nil, budget: configuration.budget, of: .gateway)
        self.ledger = ledger
        hasResponseFields = configuration.hasResponseFields
        self.shared = shared
    }

    /// Returns the limits of a caller, without those of models.
    func rules(of caller: ClientKey) -> [LimitRules] { overall.map { caller.limits + [$0] } ?? caller.limits }

    /// Returns whether the ledger stores the use, so that it is known after a restart; true if no budget is strict.
    func ledgerWorks(isStrict: Bool) -> Bool { !isStrict || ledger?.health.isWorking ?? false }

    /// Counts a request whose body is not read yet, until its outcome.
    ///
    /// - Parameter realtime: nanoseconds since 1970.
    /// - Throws: ``GatewayError`` if a limit is reached; then nothing is taken.
    func begin(_ record: RequestRecord, of caller: ClientKey, realtime: Int64) throws(GatewayError) {
        guard !caller.limits.isEmpty || overall != nil else { return }
        var claims: [LimitClaim] = []
        // Includes one place for the model's claim.
        claims.reserveCapacity(caller.limits.count + 2)
        for rules in caller.limits { claims.append(LimitClaim(rules: rules, isCounted: true, reserve: nil)) }
        if let overall { claims.append(LimitClaim(rules: overall, isCounted: true, reserve: nil)) }
        let lease = LimitLease(counters, claims)
        try take(lease, for: record, realtime, isRead: false)
        record.lease = lease
    }

    /// Reserves the needs of a request whose body is read, until its outcome.
    ///
    /// - Parameters:
    ///   - need: tokens of the request and their cost.
    ///   - model: limits of its model; nil for none.
    ///   - realtime: nanoseconds since 1970.
    /// - Returns: the lease, which has the remaining levels.
    /// - Throws: ``GatewayError`` if a limit is reached; then the request no longer counts against request rates.
    func reserve(
        _ need: LimitNeed, ofModel model: LimitRules?, for record: RequestRecord, realtime: Int64
    ) throws(GatewayError) -> LimitLease {
        let lease = record.limitLease ?? LimitLease(counters, [])
        lease.reserve(need, ofModel: model)
        record.lease = lease
        try take(lease, for: record, realtime, isRead: true)
        return lease
    }

    private func take(
        _ lease: LimitLease, for record: RequestRecord, _ realtime: Int64, isRead: Bool
    ) throws(GatewayError) {
        let ledgerWorks = ledgerWorks(isStrict: lease.isStrict)
        let now = LimitInstant(monotonic: record.now, realtime: realtime)
        guard let refusal = lease.take(at: now, ledgerWorks: ledgerWorks, isRead: isRead) else { return }
        throw refused(refusal, lease.levels, for: record, realtime: realtime)
    }

    /// Returns the error of a refused request, with rate limit headers.
    ///
    /// - Parameters:
    ///   - levels: levels that the headers report.
    ///   - realtime: nanoseconds since 1970.
    func refused(
        _ refusal: LimitRefusal, _ levels: LimitLevels, for record: RequestRecord, realtime: Int64
    ) -> GatewayError {
        let fields = LimitFields.withLines(
            of: levels, in: record.dialect, realtime: realtime, hasOwn: hasResponseFields, HTTPFields.init(lines:))
        return record.refused(refusal, fields)
    }

    /// Adds rate limit headers to a response.
    ///
    /// - Parameter realtime: time of the levels, in nanoseconds since 1970.
    func told(_ response: ServerResponse, of lease: LimitLease, _ dialect: Dialect?, realtime: Int64) -> ServerResponse
    {
        var told = response
        told.head = LimitFields.withLines(
            of: lease.levels, in: dialect, realtime: realtime, hasOwn: hasResponseFields, response.head.adding(lines:))
        return told
    }
}

/// Estimated use of a request.
struct LimitNeed {
    static let none = LimitNeed(reserve: .none)

    let reserve: TokenReserve
    /// Cost of the reserve in picodollars; 0 if the price is unknown.
    var cost = 0
    /// Cost of one output token in picodollars; 0 if the price is unknown.
    var outputCost = 0
}

extension LimitCounters: CapabilityState {}

extension GatewayState {
    /// Counters of keys, groups and models.
    var limits: Locked<LimitCounters> { shared(LimitCounters.self) }

    /// Adds earlier use to the budgets.
    package func restore(_ history: BudgetHistory) { limits.withLock { $0.restore(history) } }

    /// Adds use that the ledger has received since the budgets' use was read.
    package func add(_ history: BudgetHistory) { limits.withLock { $0.add(history) } }

    /// Discards the histories of budgets, because a new configuration needs its own.
    package func forgetBudgetHistories() { limits.withLock { $0.forgetHistories() } }
}
