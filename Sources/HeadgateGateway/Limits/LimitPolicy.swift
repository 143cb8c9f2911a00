internal import HTTPTypes
internal import HeadgateHTTP

/// How requests are limited, as the gate and the middleware do it.
struct LimitPolicy: Sendable {
    let counters: LimitCounters.Guarded
    /// What limits all requests together; nil where nothing does.
    let overall: LimitRules?
    /// Nil where none is kept.
    let ledger: (any UsageLedger)?
    let hasResponseFields: Bool

    /// Besides those of a model.
    func limits(of caller: ClientKey) -> [LimitRules] { overall.map { caller.limits + [$0] } ?? caller.limits }

    /// Takes what a request needs, until its outcome.
    ///
    /// - Parameters:
    ///   - counted: where the request itself was counted before.
    ///   - realtime: nanoseconds since 1970.
    /// - Returns: what the response says of it.
    /// - Throws: where there is no room; then nothing is taken.
    func take(
        _ claims: [LimitClaim], for record: RequestRecord, realtime: Int64, counted: [LimitRules] = []
    ) throws(GatewayError) -> [HTTPField] {
        var claims = claims
        let now = LimitInstant(monotonic: record.now, realtime: realtime)
        let ledgerWorks = !claims.contains { $0.rules.budget?.isStrict ?? false } || ledger?.health.isWorking ?? false
        var refusal: LimitRefusal?
        var levels = LimitLevels()
        counters { counters in
            refusal = counters.take(&claims, at: now, ledgerWorks: ledgerWorks)
            if refusal != nil { counters.giveBackRequest(counted, at: now.monotonic) }
            levels = counters.levels(of: claims, at: now)
        }
        let fields = LimitFields.fields(
            of: levels, in: record.dialect, realtime: realtime, hasOwn: hasResponseFields)
        if let refusal { throw record.refused(refusal, fields) }
        record.observeToo(LimitLease(counters: counters, claims: claims))
        return fields
    }
}
