import HeadgateGateway
import HeadgateRelay

@testable import HeadgateStores

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
