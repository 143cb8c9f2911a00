internal import HeadgateHTTP

/// Notes requests in a ledger: as the last observer of their outcomes, and before.
struct LedgerNotes: OutcomeObserver {
    let ledger: any UsageLedger
    let models: ModelTable
    /// Nil where nothing has a price.
    let pricing: RequestPricing?

    /// Nil without a ledger.
    init?(_ ledger: (any UsageLedger)?, models: ModelTable, pricing: RequestPricing?) {
        guard let ledger else { return nil }
        self.ledger = ledger
        self.models = models
        self.pricing = pricing
    }

    func begin(_ record: RequestRecord, _ envelope: RequestEnvelope) {
        guard record.facts.notes.place == nil, record.facts.usesTokens else { return }
        var entry = LedgerEntry()
        entry.requestID = record.facts.requestID
        entry.startedAt = ledger.now()
        entry.endedAt = entry.startedAt
        entry.key = record.facts.keyName
        entry.operation = record.facts.operation
        // A name that is not configured is the client's own text.
        if models.route(of: envelope.model) != nil { entry.model = envelope.model }
        entry.isStream = envelope.isStream
        if let place = ledger.begin(entry) { record.facts.notes.place = place }
    }

    /// The response is complete, and the client does not have all of it yet.
    func prepare(_ record: RequestRecord) {
        guard let place = record.facts.notes.place else { return }
        let end = record.facts.decidedEnd ?? .finished
        ledger.prepare(entry(of: &record.facts, end, endedAt: record.now), at: place)
    }

    func observe(_ outcome: inout Outcome) {
        guard !outcome.notes.isEmpty, let place = outcome.notes.place else { return }
        ledger.finish(entry(of: &outcome, outcome.end, endedAt: outcome.endedAt), at: place)
    }

    /// - Parameter endedAt: monotonic nanoseconds.
    private func entry(of outcome: inout Outcome, _ end: RequestEnd, endedAt: UInt64) -> LedgerEntry {
        var entry = LedgerEntry()
        entry.requestID = outcome.requestID
        entry.endedAt = ledger.now()
        entry.startedAt = entry.endedAt - Int64((max(endedAt, outcome.startedAt) - outcome.startedAt) / 1_000_000)
        entry.key = outcome.keyName
        entry.operation = outcome.operation
        entry.model = outcome.model ?? ""
        entry.upstream = outcome.upstream
        entry.upstreamModel = models.target(of: &outcome)?.model
        entry.status = outcome.status
        entry.outcome = end.rawValue
        entry.attempts = max(outcome.attempts.count, outcome.upstream == nil ? 0 : 1)
        entry.promptTokens = outcome.promptTokens
        entry.completionTokens = outcome.completionTokens
        entry.cachedTokens = outcome.notes.cache.read
        if outcome.promptTokens != nil || outcome.completionTokens != nil {
            entry.source = outcome.isUsageComplete ? .upstream : .partial
        }
        entry.cost = cost(of: &outcome)
        entry.isStream = outcome.isStream
        return entry
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

extension Outcome {
    /// Where nothing has a price.
    fileprivate var costWithoutPrices: RequestCost? {
        guard let upstreamStatus else { return mayBeAnsweredUnseen ? .unknown : nil }
        guard (200..<300).contains(upstreamStatus) else { return nil }
        return notes[.cache] == CacheFields.Result.hit.rawValue ? .known(0) : .unknown
    }
}
