internal import HeadgateRelay

/// View of a ``LedgerSlot``, read in place. Numbers are clamped to the ranges of a ledger.
package struct LedgerRow {
    package typealias Text = UnsafeRawBufferPointer

    /// Properties that many requests have in common: the number of the table of names, the places of the names, and the
    /// rest in one number.
    struct Kind: Equatable {
        let names: UInt64
        let begun: UInt32
        /// 0 for a request that is not finished.
        let ended: UInt32
        let numbers: UInt64
    }

    private let slot: LedgerSlot
    private let marks: LedgerSlot.Marks
    package let requestID: Text

    /// - Parameters:
    ///   - slot: the slot, which must not be written while this view is used.
    ///   - isFinished: whether the slot's result is valid.
    /// - Returns: nil for bytes that are not a request.
    init?(_ slot: LedgerSlot, isFinished: Bool) {
        self.slot = slot
        var marks = LedgerSlot.Marks(
            rawValue: slot.memory.load(fromByteOffset: LedgerSlot.Place.marks, as: UInt8.self))
        if !isFinished { marks.formIntersection([.stream, .estimate]) }
        self.marks = marks
        guard let texts = LedgerRow.texts(of: slot, isFinished: marks.contains(.result)) else { return nil }
        requestID = texts.id
    }

    /// Returns the request's id, the texts from its begin (operation, key, model), and those from its end (outcome,
    /// upstream, upstream model).
    private static func texts(
        of slot: LedgerSlot, isFinished: Bool
    ) -> (id: Text, begun: LedgerTexts, ended: LedgerTexts)? {
        // Texts that are neither in the slot nor in the names are beside the slot, in this order.
        var beside = LedgerTexts(slot.texts, to: LedgerSlot.textsSize)
        func names(at place: Int) -> LedgerTexts? {
            guard let names = slot.names else { return beside.skipping(3) }
            let place = slot.memory.load(fromByteOffset: place, as: UInt32.self)
            return place == 0 ? beside.skipping(3) : names.texts(at: place)
        }
        let id: Text
        let length = slot.memory.load(fromByteOffset: LedgerSlot.Place.idLength, as: UInt8.self)
        if slot.names == nil || length == LedgerSlot.elsewhere {
            guard let text = beside.next() else { return nil }
            id = text
        } else {
            guard Int(length) <= LedgerSlot.size - LedgerSlot.Place.id else { return nil }
            id = Text(start: slot.memory + LedgerSlot.Place.id, count: Int(length))
        }
        guard let begun = names(at: LedgerSlot.Place.begun) else { return nil }
        guard isFinished else { return (id, begun, begun) }
        return names(at: LedgerSlot.Place.ended).map { (id, begun, $0) }
    }

    private var memory: UnsafeMutableRawPointer { slot.memory }

    var isFinished: Bool { marks.contains(.result) }
    /// Sequence number of the request within its gateway.
    var sequence: Int64 { number(at: LedgerSlot.Place.sequence) }
    /// Latest batch of its gateway that was to write the request; 0 for none.
    var batch: Int64 { number(at: LedgerSlot.Place.batch) }
    /// Milliseconds since 1970.
    var endedAt: Int64 { time(at: LedgerSlot.Place.endedAt) }
    /// Milliseconds.
    package var duration: Int64 { max(endedAt - time(at: LedgerSlot.Place.startedAt), 0) }

    package var promptTokens: Int64? { count(.promptTokens, at: LedgerSlot.Place.promptTokens) }
    var completionTokens: Int64? { count(.completionTokens, at: LedgerSlot.Place.completionTokens) }
    var cachedTokens: Int64? { count(.cachedTokens, at: LedgerSlot.Place.cachedTokens) }
    /// Picodollars.
    package var cost: Int64? { count(.cost, at: LedgerSlot.Place.cost, atMost: Int64(LedgerEntry.largestCost)) }

    /// Kind with the places of its names; nil if a name has no place.
    var commonKind: Kind? {
        guard let names = slot.names?.number else { return nil }
        let begun = memory.load(fromByteOffset: LedgerSlot.Place.begun, as: UInt32.self)
        guard isFinished else {
            return begun == 0 ? nil : Kind(names: names, begun: begun, ended: 0, numbers: UInt64(marks.rawValue))
        }
        let ended = memory.load(fromByteOffset: LedgerSlot.Place.ended, as: UInt32.self)
        guard begun != 0, ended != 0 else { return nil }
        // Everything except the length of the id.
        let numbers = memory.load(fromByteOffset: LedgerSlot.Place.status, as: UInt64.self) << 8
        return Kind(names: names, begun: begun, ended: ended, numbers: numbers)
    }

    /// Properties that many requests have in common, with their texts.
    package var kind: LedgerKind {
        let none = Text(start: memory, count: 0)
        guard var (_, begun, ended) = LedgerRow.texts(of: slot, isFinished: isFinished) else {
            return LedgerKind(operation: none, key: none, model: none)
        }
        var kind = LedgerKind(
            operation: begun.next() ?? none, key: begun.next() ?? none, model: begun.next() ?? none)
        kind.isStream = marks.contains(.stream)
        kind.source = marks.source
        guard isFinished else { return kind }
        if !marks.contains(.model) { kind.model = none }
        (kind.outcome, kind.upstream) = (ended.next() ?? none, ended.next() ?? none)
        kind.upstreamModel = ended.next() ?? none
        kind.status = Int64(memory.loadUnaligned(fromByteOffset: LedgerSlot.Place.status, as: Int32.self))
        kind.attempts = Int64(memory.loadUnaligned(fromByteOffset: LedgerSlot.Place.attempts, as: UInt16.self))
        return kind
    }

    private func number(at place: Int) -> Int64 { memory.loadUnaligned(fromByteOffset: place, as: Int64.self) }

    private func time(at place: Int) -> Int64 { min(max(number(at: place), 0), LedgerEntry.latestTime) }

    private func count(
        _ count: LedgerSlot.Counts, at place: Int, atMost largest: Int64 = Int64(LedgerEntry.largestCount)
    ) -> Int64? {
        let counts = memory.loadUnaligned(fromByteOffset: LedgerSlot.Place.counts, as: UInt8.self)
        guard counts & count.rawValue != 0 else { return nil }
        return min(max(number(at: place), 0), largest)
    }
}

/// Properties that many requests have in common: everything except ids, times, tokens and costs. The texts are in the
/// slot of one of these requests.
package struct LedgerKind {
    package let operation: LedgerRow.Text
    /// Client key; empty if there is none. An absent upstream is empty too.
    let key: LedgerRow.Text
    var model: LedgerRow.Text
    var upstream: LedgerRow.Text
    var upstreamModel: LedgerRow.Text
    var status: Int64 = 0
    /// Outcome; nil for a request whose gateway was killed.
    package var outcome: LedgerRow.Text?
    var attempts: Int64 = 0
    var source: LedgerEntry.Source?
    var isStream = false

    init(operation: LedgerRow.Text, key: LedgerRow.Text, model: LedgerRow.Text) {
        self.operation = operation
        self.key = key
        self.model = model
        let none = LedgerRow.Text(rebasing: operation[..<0])
        (upstream, upstreamModel) = (none, none)
    }
}
