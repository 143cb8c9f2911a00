/// What few requests have: apart, so that the others carry one word for it.
indirect enum OutcomeNotes: Sendable {
    case none
    case some(Content)

    struct Content: Sendable {
        var texts: [Outcome.Note: String] = [:]
        var cache = CacheTokens()
        var cost: RequestCost?
        var place: LedgerPlace?
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

    /// Nil for a request that is not in the ledger.
    var place: LedgerPlace? {
        get { isEmpty ? nil : content.place }
        set { content.place = newValue }
    }
}
