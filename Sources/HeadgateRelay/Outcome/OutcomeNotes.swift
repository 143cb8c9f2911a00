/// Facts that few requests have, stored apart so that the other requests carry one word for them.
package struct OutcomeNotes: Sendable {
    static var none: OutcomeNotes { OutcomeNotes() }

    @usableFromInline struct Content: Sendable {
        @usableFromInline var texts: [Outcome.Note: String] = [:]
        @usableFromInline var usage = UsageDetails()
        @usableFromInline var cost: RequestCost?
        @usableFromInline var isEstimated = false
        @usableFromInline var mark: LedgerMark?
    }

    /// At most one element. An array, because its element is read and changed in place.
    @usableFromInline var contents: [Content] = []

    @inlinable package var isEmpty: Bool { contents.isEmpty }
    /// Whether any of the notes is a text.
    @inlinable package var hasTexts: Bool { !isEmpty && !contents[0].texts.isEmpty }

    private mutating func change(_ body: (inout Content) -> Void) {
        if contents.isEmpty { contents = [Content()] }
        body(&contents[0])
    }

    package subscript(note: Outcome.Note) -> String? {
        @inlinable get { hasTexts ? text(of: note) : nil }
        set {
            // There is nothing to remove.
            if newValue == nil, !hasTexts { return }
            change { $0.texts[note] = newValue }
        }
    }

    @usableFromInline func text(of note: Outcome.Note) -> String? { contents[0].texts[note] }

    package var values: some Collection<String> { (contents.first?.texts ?? [:]).values }

    /// Parts of the usage with separate prices, as the upstream reports them.
    package var usage: UsageDetails {
        get { isEmpty ? UsageDetails() : contents[0].usage }
        set { if newValue != usage { change { $0.usage = newValue } } }
    }

    /// Cost of the request; nil if it used nothing, or its cost is not computed.
    package var cost: RequestCost? {
        @inlinable get { isEmpty ? nil : contents[0].cost }
        set { if newValue != nil || !isEmpty { change { $0.cost = newValue } } }
    }

    /// Whether some tokens are estimated because the upstream has not counted all of them.
    package var isEstimated: Bool {
        @inlinable get { isEmpty ? false : contents[0].isEstimated }
        set { if newValue != isEstimated { change { $0.isEstimated = newValue } } }
    }

    /// Source of the token counts; nil if the upstream has counted them.
    package var tokenSource: String? { isEstimated ? LedgerEntry.Source.estimated.rawValue : nil }

    /// Whether the request is in the ledger.
    @inlinable package var hasMark: Bool { !isEmpty && contents[0].mark != nil }
    /// Mark of the request; nil if it is not in the ledger.
    package var mark: LedgerMark? {
        @inlinable get { isEmpty ? nil : contents[0].mark }
        set { change { $0.mark = newValue } }
    }
}

/// Place of a request in the ledger, with its start and target.
package struct LedgerMark: Sendable {
    package let place: LedgerPlace
    /// Milliseconds since 1970.
    package let startedAt: Int64
    /// Target of the model, if the model has a single one. Untyped, because outcomes do not depend on targets.
    package let target: (any AnyObject & Sendable)?

    package init(place: LedgerPlace, startedAt: Int64, target: (any AnyObject & Sendable)?) {
        self.place = place
        self.startedAt = startedAt
        self.target = target
    }
}

/// Result of a cache lookup for a request, as the log and responses name it.
package enum CacheResult: String {
    case hit
    case miss
    case bypass
}
