internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// How requests are limited, as the gate and the middleware do it.
final class LimitPolicy: Sendable {
    let counters: Locked<LimitCounters>
    /// What limits all requests together; nil where nothing does.
    let overall: LimitRules?
    /// Nil where none is kept.
    let ledger: (any UsageLedger)?
    let hasResponseFields: Bool
    /// Nil where this gateway counts by itself.
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

    /// What limits a caller, besides its models.
    func rules(of caller: ClientKey) -> [LimitRules] { overall.map { caller.limits + [$0] } ?? caller.limits }

    /// Whether what is used now is known after a restart, too, where somebody wants to know.
    func ledgerWorks(isStrict: Bool) -> Bool { !isStrict || ledger?.health.isWorking ?? false }

    /// Counts a request whose body is not read, until its outcome.
    ///
    /// - Parameter realtime: nanoseconds since 1970.
    /// - Throws: where there is no room; then nothing is taken.
    func begin(_ record: RequestRecord, of caller: ClientKey, realtime: Int64) throws(GatewayError) {
        guard !caller.limits.isEmpty || overall != nil else { return }
        var claims: [LimitClaim] = []
        // One more for the model.
        claims.reserveCapacity(caller.limits.count + 2)
        for rules in caller.limits { claims.append(LimitClaim(rules: rules, isCounted: true, reserve: nil)) }
        if let overall { claims.append(LimitClaim(rules: overall, isCounted: true, reserve: nil)) }
        let lease = LimitLease(counters, claims)
        try take(lease, for: record, realtime, isRead: false)
        record.lease = lease
    }

    /// Takes what a request needs once it is read, until its outcome.
    ///
    /// - Parameters:
    ///   - need: its tokens, and what they cost.
    ///   - model: the limits of its model; nil for none.
    ///   - realtime: nanoseconds since 1970.
    /// - Returns: what knows what is left.
    /// - Throws: where there is no room; then the request is not counted any more.
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

    /// - Parameters:
    ///   - levels: what is left.
    ///   - realtime: nanoseconds since 1970.
    func refused(
        _ refusal: LimitRefusal, _ levels: LimitLevels, for record: RequestRecord, realtime: Int64
    ) -> GatewayError {
        let fields = LimitFields.withLines(
            of: levels, in: record.dialect, realtime: realtime, hasOwn: hasResponseFields, HTTPFields.init(lines:))
        return record.refused(refusal, fields)
    }

    /// Has a response say what is left.
    ///
    /// - Parameter realtime: nanoseconds since 1970, when that was looked at.
    func told(_ response: ServerResponse, of lease: LimitLease, _ dialect: Dialect?, realtime: Int64) -> ServerResponse
    {
        var told = response
        told.head = LimitFields.withLines(
            of: lease.levels, in: dialect, realtime: realtime, hasOwn: hasResponseFields, response.head.adding(lines:))
        return told
    }
}

/// What a request will probably use.
struct LimitNeed {
    static let none = LimitNeed(reserve: .none)

    let reserve: TokenReserve
    /// Picodollars, beside the reserve; 0 where no price is known.
    var cost = 0
    /// Of one token of an answer, likewise.
    var outputCost = 0
}

extension LimitCounters: CapabilityState {}

extension GatewayState {
    /// Usage of keys, groups and models.
    var limits: Locked<LimitCounters> { shared(LimitCounters.self) }

    /// Tells budgets what was used before.
    package func restore(_ history: BudgetHistory) { limits.withLock { $0.restore(history) } }

    /// What was told does not hold for budgets that are configured from now on.
    package func forgetBudgetHistories() { limits.withLock { $0.forgetHistories() } }
}
