internal import HeadgateRelay

/// What a ``LedgerSlot`` holds, read where it stands. Numbers are in the ranges of a ledger, whatever is there.
package struct LedgerRow {
    package typealias Text = UnsafeRawBufferPointer

    private let memory: UnsafeRawPointer
    private let marks: LedgerSlot.Marks
    package let requestID: Text
    /// Where all texts but the request's id stand.
    private let common: Range<Int>

    /// - Parameters:
    ///   - memory: of a slot that nobody writes to as long as this is used.
    ///   - isFinished: whether what has become of it counts.
    /// - Returns: nil for octets that no request was written into.
    init?(_ memory: UnsafeRawPointer, isFinished: Bool) {
        var marks = LedgerSlot.Marks(
            rawValue: memory.loadUnaligned(fromByteOffset: LedgerSlot.Place.marks, as: UInt8.self))
        if !isFinished { marks.formIntersection([.stream, .estimate]) }
        self.memory = memory
        self.marks = marks
        var texts = Texts(memory, from: LedgerSlot.Place.texts, to: LedgerSlot.size)
        guard let requestID = texts.next() else { return nil }
        self.requestID = requestID ?? Text(start: memory, count: 0)
        let start = texts.place
        for _ in 0..<(marks.contains(.result) ? 6 : 3) { if texts.next() == nil { return nil } }
        common = start..<texts.place
    }

    var isFinished: Bool { marks.contains(.result) }
    /// Which request of its gateway it is.
    var sequence: Int64 { number(at: LedgerSlot.Place.sequence) }
    /// The batch of its gateway that it was written in, or was to be; 0 for none.
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

    /// The texts of what many requests have in common.
    var commonTexts: Text { Text(start: memory + common.lowerBound, count: common.count) }

    /// What is no text of that, in one number.
    var commonNumbers: UInt64 {
        guard isFinished else { return UInt64(marks.rawValue) }
        return memory.loadUnaligned(fromByteOffset: LedgerSlot.Place.status, as: UInt64.self)
    }

    /// What many requests have in common.
    package var kind: LedgerKind {
        var texts = Texts(memory, from: common.lowerBound, to: common.upperBound)
        func text() -> Text { (texts.next() ?? nil) ?? Text(start: memory, count: 0) }
        let (operation, key, model) = (text(), text(), text())
        var kind = LedgerKind(operation: operation, key: key, model: model)
        kind.isStream = marks.contains(.stream)
        kind.source = marks.source
        guard isFinished else { return kind }
        if !marks.contains(.model) { kind.model = Text(start: memory, count: 0) }
        (kind.outcome, kind.upstream, kind.upstreamModel) = (text(), text(), text())
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

    private struct Texts {
        private let memory: UnsafeRawPointer
        private(set) var place: Int
        private let end: Int

        init(_ memory: UnsafeRawPointer, from start: Int, to end: Int) {
            self.memory = memory
            place = start
            self.end = end
        }

        /// Nil at what is no text; the text itself is nil where there was none.
        mutating func next() -> Text?? {
            guard place + 2 <= end else { return nil }
            let count = memory.loadUnaligned(fromByteOffset: place, as: UInt16.self)
            place += 2
            if count == LedgerSlot.none { return .some(nil) }
            guard place + Int(count) <= end else { return nil }
            defer { place += Int(count) }
            return .some(Text(start: memory + place, count: Int(count)))
        }
    }
}

/// What many requests have in common: all but their ids, times, tokens and costs. Texts stand in the slot of one.
package struct LedgerKind {
    package let operation: LedgerRow.Text
    /// Empty where there is none, as an upstream is.
    let key: LedgerRow.Text
    var model: LedgerRow.Text
    var upstream: LedgerRow.Text
    var upstreamModel: LedgerRow.Text
    var status: Int64 = 0
    /// Nil for a request whose gateway was killed.
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
