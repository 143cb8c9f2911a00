internal import HeadgateRelay

/// Slots outside any journal. Writing requests to them and reading them back gives the numbers and texts that a ledger
/// stores.
enum SlotMemory {
    /// Lends the rows of entries for the duration of the call.
    ///
    /// - Parameter first: the sequence number of the first row.
    static func withRows<Value>(
        of entries: [LedgerEntry], numberedFrom first: Int64 = 0,
        _ body: ([LedgerRow]) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let memory = JournalMemory.allocate(slots: entries.count)
        defer { memory.start.deallocate() }
        var rows: [LedgerRow] = []
        rows.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            let slot = memory.slot(index)
            let isFinished = entry.outcome != LedgerEntry.unfinished
            slot.begin(entry, first + Int64(index))
            if isFinished { slot.end(entry) }
            if let row = LedgerRow(slot, isFinished: isFinished) { rows.append(row) }
        }
        return try body(rows)
    }
}

extension LedgerRow {
    /// Copy of the row, including its texts.
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
