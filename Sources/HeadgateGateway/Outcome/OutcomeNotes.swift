/// What few requests have: apart, so that the others carry one word for it.
struct OutcomeNotes: Sendable {
    static var none: OutcomeNotes { OutcomeNotes() }

    private struct Content: Sendable {
        var texts: [Outcome.Note: String] = [:]
        var cache = CacheTokens()
        var cost: RequestCost?
        var isEstimated = false
        var mark: LedgerMark?
    }

    /// One at most. A list, as its element is read and changed where it stands.
    private var contents: [Content] = []

    var isEmpty: Bool { contents.isEmpty }

    private mutating func change(_ body: (inout Content) -> Void) {
        if contents.isEmpty { contents.append(Content()) }
        body(&contents[0])
    }

    subscript(note: Outcome.Note) -> String? {
        get { isEmpty || contents[0].texts.isEmpty ? nil : contents[0].texts[note] }
        set {
            // Nothing to take away.
            if newValue == nil, isEmpty || contents[0].texts.isEmpty { return }
            change { $0.texts[note] = newValue }
        }
    }

    var values: some Collection<String> { (contents.first?.texts ?? [:]).values }

    /// What the upstream says of its cache.
    var cache: CacheTokens {
        get { isEmpty ? CacheTokens() : contents[0].cache }
        set { if newValue != cache { change { $0.cache = newValue } } }
    }

    /// Nil where nothing was used, or nobody reckons it.
    var cost: RequestCost? {
        get { isEmpty ? nil : contents[0].cost }
        set { if newValue != nil || !isEmpty { change { $0.cost = newValue } } }
    }

    /// Whether the upstream has not counted all of the tokens, so that some are estimated.
    var isEstimated: Bool {
        get { isEmpty ? false : contents[0].isEstimated }
        set { if newValue != isEstimated { change { $0.isEstimated = newValue } } }
    }

    /// Where the tokens are from, unless the upstream has counted them.
    var tokenSource: String? { isEstimated ? LedgerEntry.Source.estimated.rawValue : nil }

    /// Nil for a request that is not in the ledger.
    var mark: LedgerMark? {
        get { isEmpty ? nil : contents[0].mark }
        set { change { $0.mark = newValue } }
    }
}

/// Where a request is in the ledger.
struct LedgerMark: Sendable {
    let place: LedgerPlace
    /// Milliseconds since 1970.
    let startedAt: Int64
    /// The target of its model, if that has a single one. Untyped: outcomes know nothing of targets.
    let target: (any AnyObject & Sendable)?
}

/// What a cache did for a request, as the log and responses say it.
enum CacheResult: String {
    case hit
    case miss
    case bypass
}
