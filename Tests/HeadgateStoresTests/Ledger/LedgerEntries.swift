import HeadgateGateway

@testable import HeadgateStores

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

extension LedgerWriter {
    /// Writes requests that are over in one batch of some gateway.
    func write(_ entries: [LedgerEntry], of process: Int64 = 1, batch: Int64 = 1) throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: LedgerSlot.size * entries.count, alignment: 8)
        defer { memory.deallocate() }
        let rows = entries.enumerated().compactMap { index, entry in
            let slot = LedgerSlot(memory: memory + LedgerSlot.size * index)
            slot.begin(entry, Int64(index))
            slot.end(entry)
            return LedgerRow(slot.memory, isFinished: true).map { JournalEntry(place: index, row: $0) }
        }
        try write(rows, of: process, batch: batch)
    }
}
