internal import HeadgateHTTP

/// Notes requests in a ledger: as the last observer of their outcomes, and before.
final class LedgerNotes: OutcomeObserver {
    let ledger: any UsageLedger
    let models: ModelTable
    /// Nil where nothing has a price.
    let pricing: RequestPricing?

    /// Nil without a ledger.
    init?(_ ledger: (any UsageLedger)?, _ relay: RelaySnapshot) {
        guard let ledger else { return nil }
        self.ledger = ledger
        models = relay.models
        pricing = relay.pricing
    }

    func begin(_ record: RequestRecord, _ envelope: RequestEnvelope) {
        guard let place = begin(&record.facts, envelope, record.lease, at: record.now) else { return }
        record.facts.notes.mark = place
    }

    /// - Parameter now: monotonic nanoseconds.
    private func begin(
        _ outcome: inout Outcome, _ envelope: RequestEnvelope, _ lease: (any RequestLease)?, at now: UInt64
    ) -> LedgerMark? {
        guard outcome.notes.mark == nil, outcome.usesTokens else { return nil }
        // A name that is not configured is the client's own text.
        let route = models.route(of: envelope.model)
        var entry = LedgerEntry()
        entry.requestID = outcome.requestID
        entry.startedAt = ledger.now() - LedgerNotes.milliseconds(from: outcome.startedAt, to: now)
        entry.endedAt = entry.startedAt
        entry.key = outcome.keyName
        entry.operation = outcome.operation
        if route != nil { entry.model = envelope.model }
        entry.isStream = envelope.isStream
        lease?.assumeUse(in: &entry)
        let place = ledger.begin(entry)
        return place.map { LedgerMark(place: $0, startedAt: entry.startedAt, target: route?.single) }
    }

    /// The response is complete, and the client does not have all of it yet.
    func prepare(_ record: RequestRecord) {
        guard let mark = record.facts.notes.mark else { return }
        // So it ends, as far as is known.
        record.facts.end = record.facts.decidedEnd ?? .finished
        record.lease?.assumeUse(in: &record.facts)
        var entry = LedgerEntry()
        describe(&record.facts, mark, endedAt: record.now, in: &entry)
        ledger.prepare(entry, at: mark.place)
    }

    func observe(_ outcome: inout Outcome) {
        guard let mark = outcome.notes.mark else { return }
        // Most end as they were prepared, which is written already. An end that was decided before stays decided.
        let endedAt = mark.time(of: outcome.endedAt, after: outcome.startedAt)
        if outcome.end == .finished, ledger.finish(at: mark.place, endedAt: endedAt) { return }
        var entry = LedgerEntry()
        describe(&outcome, mark, endedAt: outcome.endedAt, in: &entry)
        ledger.finish(entry, at: mark.place)
    }

    /// Of both nothing is copied, as every request is described.
    ///
    /// - Parameter endedAt: monotonic nanoseconds.
    private func describe(
        _ outcome: inout Outcome, _ mark: LedgerMark, endedAt: UInt64, in entry: inout LedgerEntry
    ) {
        entry.requestID = outcome.requestID
        entry.startedAt = mark.startedAt
        entry.endedAt = mark.time(of: endedAt, after: outcome.startedAt)
        entry.key = outcome.keyName
        entry.operation = outcome.operation
        entry.model = outcome.model ?? ""
        entry.upstream = outcome.upstream
        if outcome.model != nil {
            entry.upstreamModel = (mark.target as? ModelTarget ?? models.target(of: &outcome))?.model
        }
        entry.status = outcome.status
        entry.outcome = outcome.end.rawValue
        entry.attempts = max(outcome.attempts.count, outcome.upstream == nil ? 0 : 1)
        entry.promptTokens = outcome.promptTokens
        entry.completionTokens = outcome.completionTokens
        entry.cachedTokens = outcome.notes.cache.read
        if outcome.promptTokens != nil || outcome.completionTokens != nil {
            entry.source = outcome.notes.isEstimated ? .estimated : outcome.isUsageComplete ? .upstream : .partial
        }
        entry.cost = cost(of: &outcome)
        entry.isStream = outcome.isStream
    }

    /// - Parameters: monotonic nanoseconds.
    fileprivate static func milliseconds(from start: UInt64, to end: UInt64) -> Int64 {
        Int64((max(end, start) - start) / 1_000_000)
    }

    /// Nothing used costs nothing.
    private func cost(of outcome: inout Outcome) -> Int? {
        let cost = outcome.notes.cost ?? (pricing == nil ? outcome.costWithoutPrices : pricing?.cost(of: &outcome))
        switch cost {
        case .known(let picodollars)?: return picodollars
        case .unknown?: return nil
        case nil: return 0
        }
    }
}

extension LedgerMark {
    /// Milliseconds since 1970.
    ///
    /// - Parameters:
    ///   - instant: monotonic nanoseconds.
    ///   - start: when the request began, likewise.
    fileprivate func time(of instant: UInt64, after start: UInt64) -> Int64 {
        startedAt + LedgerNotes.milliseconds(from: start, to: instant)
    }
}

extension Outcome {
    /// Where nothing has a price.
    fileprivate var costWithoutPrices: RequestCost? {
        guard let upstreamStatus else { return mayBeAnsweredUnseen ? .unknown : nil }
        guard (200..<300).contains(upstreamStatus) else { return nil }
        return notes[.cache] == CacheResult.hit.rawValue ? .known(0) : .unknown
    }
}
