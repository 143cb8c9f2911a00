internal import HeadgateGateway

/// Slots of no journal, which requests are written into as into one: whatever their numbers and texts are, they come
/// out as ledgers keep them.
final class SlotMemory {
    private let memory: UnsafeMutableRawPointer
    /// For as long as this is there. Each has its place among the entries as its number.
    private(set) var rows: [LedgerRow] = []

    init(_ entries: [LedgerEntry], numberedFrom first: Int64 = 0) {
        memory = .allocate(byteCount: LedgerSlot.size * max(entries.count, 1), alignment: 8)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: LedgerSlot.size * max(entries.count, 1))
        rows.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            let slot = LedgerSlot(memory: memory + LedgerSlot.size * index)
            let isFinished = entry.outcome != LedgerEntry.unfinished
            slot.begin(entry, first + Int64(index))
            if isFinished { slot.end(entry) }
            if let row = LedgerRow(slot.memory, isFinished: isFinished) { rows.append(row) }
        }
    }

    deinit { memory.deallocate() }
}

extension LedgerRow {
    /// The same with texts of its own.
    var entry: LedgerEntry {
        func text(_ text: Text) -> String { String(decoding: text, as: UTF8.self) }
        func name(_ name: Text) -> String? { name.isEmpty ? nil : text(name) }
        var entry = LedgerEntry()
        let kind = kind
        entry.requestID = text(requestID)
        (entry.startedAt, entry.endedAt) = (endedAt - duration, endedAt)
        (entry.operation, entry.model, entry.key) = (text(kind.operation), text(kind.model), name(kind.key))
        (entry.upstream, entry.upstreamModel) = (name(kind.upstream), name(kind.upstreamModel))
        entry.outcome = kind.outcome.map(text) ?? LedgerEntry.unfinished
        (entry.status, entry.attempts, entry.source) = (Int(kind.status), Int(kind.attempts), kind.source)
        (entry.promptTokens, entry.completionTokens) = (promptTokens.map(Int.init), completionTokens.map(Int.init))
        (entry.cachedTokens, entry.cost, entry.isStream) = (
            cachedTokens.map(Int.init), cost.map(Int.init), kind.isStream
        )
        return entry
    }
}
