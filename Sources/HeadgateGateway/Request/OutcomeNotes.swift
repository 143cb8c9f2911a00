/// What few requests have: apart, so that the others carry one word for it.
indirect enum OutcomeNotes: Sendable {
    case none
    case some(Content)

    struct Content: Sendable {
        var texts: [Outcome.Note: String] = [:]
        var cache = CacheTokens()
        var cost: RequestCost?
        var isEstimated = false
        var mark: LedgerMark?
    }

    private var content: Content {
        get { if case .some(let content) = self { content } else { Content() } }
        set { self = .some(newValue) }
    }

    var isEmpty: Bool { if case .none = self { true } else { false } }

    subscript(note: Outcome.Note) -> String? {
        get { isEmpty ? nil : content.texts[note] }
        set {
            // Nothing to take away.
            if newValue == nil, isEmpty { return }
            content.texts[note] = newValue
        }
    }

    var values: some Collection<String> { content.texts.values }

    /// What the upstream says of its cache.
    var cache: CacheTokens {
        get { content.cache }
        set { if newValue != cache { content.cache = newValue } }
    }

    /// Nil where nothing was used, or nobody reckons it.
    var cost: RequestCost? {
        get { isEmpty ? nil : content.cost }
        set { content.cost = newValue }
    }

    /// Whether the upstream has not counted all of the tokens, so that some are estimated.
    var isEstimated: Bool {
        get { isEmpty ? false : content.isEstimated }
        set { if newValue != isEstimated { content.isEstimated = newValue } }
    }

    /// Where the tokens are from, unless the upstream has counted them.
    var tokenSource: String? { isEstimated ? LedgerEntry.Source.estimated.rawValue : nil }

    /// Nil for a request that is not in the ledger.
    var mark: LedgerMark? {
        get { if case .some(let content) = self { content.mark } else { nil } }
        set { content.mark = newValue }
    }
}

/// Where a request is in the ledger.
struct LedgerMark: Sendable {
    let place: LedgerPlace
    /// Milliseconds since 1970.
    let startedAt: Int64
    /// The target of its model, where that has one alone.
    let target: ModelTarget?
}
