internal import HeadgateHTTP
internal import HeadgateRelay

/// Writer of ledger entries: at the beginning of a request, when its response is complete, and as the last observer of
/// its outcome.
final class LedgerNotes: OutcomeObserver {
    let ledger: any UsageLedger
    let models: ModelTable
    /// Pricing of requests; nil if nothing has a price.
    let pricing: RequestPricing?

    /// Returns nil without a ledger.
    init?(_ ledger: (any UsageLedger)?, _ relay: RelaySnapshot) {
        guard let ledger else { return nil }
        self.ledger = ledger
        models = relay.models
        pricing = relay.pricing
    }

    /// Notes the beginning of a request.
    func begin(_ record: RequestRecord, _ envelope: RequestEnvelope) {
        guard let place = begin(&record.facts, envelope, record.lease, at: record.now) else { return }
        record.facts.notes.mark = place
    }

    /// - Parameter now: monotonic nanoseconds.
    /// - Returns: nil if the request is noted already or is only explained, or if the ledger has no place left.
    private func begin(
        _ outcome: inout Outcome, _ envelope: RequestEnvelope, _ lease: (any RequestLease)?, at now: UInt64
    ) -> LedgerMark? {
        guard !outcome.notes.hasMark, !outcome.isExplanation else { return nil }
        // A name that is not configured is arbitrary text from the client, so it is not stored.
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

    /// Notes a complete response before the client has all of it.
    func prepare(_ record: RequestRecord) {
        guard let mark = record.facts.notes.mark else { return }
        // The end that is expected at this point.
        record.facts.end = record.facts.decidedEnd ?? .finished
        record.lease?.assumeUse(in: &record.facts)
        var entry = LedgerEntry()
        describe(&record.facts, mark, endedAt: record.now, in: &entry)
        ledger.prepare(entry, at: mark.place)
    }

    func observe(_ outcome: inout Outcome) {
        guard let mark = outcome.notes.mark ?? markOfPassthrough(&outcome) else { return }
        // Most requests end as prepared, and that entry is already written. An end that was decided earlier stays.
        let endedAt = mark.time(of: outcome.endedAt, after: outcome.startedAt)
        if outcome.end == .finished, ledger.finish(at: mark.place, endedAt: endedAt) { return }
        var entry = LedgerEntry()
        describe(&outcome, mark, endedAt: outcome.endedAt, in: &entry)
        ledger.finish(entry, at: mark.place)
    }

    /// Takes a place for a request that was passed through to an upstream. Such a request names no model, and its
    /// beginning is not noted.
    private func markOfPassthrough(_ outcome: inout Outcome) -> LedgerMark? {
        guard outcome.operation == PassthroughHandler.operationID, outcome.upstream != nil else { return nil }
        outcome.notes.cost = outcome.costWithoutPrices
        var entry = LedgerEntry()
        entry.requestID = outcome.requestID
        entry.startedAt = ledger.now() - LedgerNotes.milliseconds(from: outcome.startedAt, to: outcome.endedAt)
        entry.endedAt = entry.startedAt
        entry.key = outcome.keyName
        entry.operation = outcome.operation
        return ledger.begin(entry).map { LedgerMark(place: $0, startedAt: entry.startedAt, target: nil) }
    }

    /// Fills in an entry. The outcome is `inout` to avoid a copy, because this runs for every request.
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
        entry.cachedTokens = outcome.notes.usage.cacheRead
        if outcome.promptTokens != nil || outcome.completionTokens != nil {
            entry.source = outcome.notes.isEstimated ? .estimated : outcome.isUsageComplete ? .upstream : .partial
        }
        entry.cost = cost(of: &outcome)
        entry.isStream = outcome.isStream
    }

    /// Returns the milliseconds between two instants, which are in monotonic nanoseconds.
    fileprivate static func milliseconds(from start: UInt64, to end: UInt64) -> Int64 {
        Int64((max(end, start) - start) / 1_000_000)
    }

    /// Returns the cost in picodollars: 0 if nothing was used, nil if the cost is not known.
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
    /// Returns the milliseconds since 1970 of an instant.
    ///
    /// - Parameters:
    ///   - instant: monotonic nanoseconds.
    ///   - start: beginning of the request, in monotonic nanoseconds.
    fileprivate func time(of instant: UInt64, after start: UInt64) -> Int64 {
        startedAt + LedgerNotes.milliseconds(from: start, to: instant)
    }
}

extension Outcome {
    /// Cost of a request if nothing has a price; nil if nothing was used.
    fileprivate var costWithoutPrices: RequestCost? {
        guard let upstreamStatus else { return mayBeAnsweredUnseen ? .unknown : nil }
        guard (200..<300).contains(upstreamStatus) else { return nil }
        return notes[.cache] == CacheResult.hit.rawValue ? .known(0) : .unknown
    }
}
