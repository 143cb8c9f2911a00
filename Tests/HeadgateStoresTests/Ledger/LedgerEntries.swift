import HeadgateGateway
import HeadgateRelay

@testable import HeadgateStores

extension LedgerWriter {
    // Name table of one journal, which a writer recognizes.
    private nonisolated(unsafe) static let names = JournalMemory.allocate(slots: 0).names

    /// Writes ended requests in one batch of a gateway.
    func write(
        _ entries: [LedgerEntry], of process: Int64 = 1, batch: Int64 = 1, sequence: (Int) -> Int64 = { Int64($0) }
    ) throws {
        let memory = JournalMemory.allocate(slots: entries.count)
        defer { memory.start.deallocate() }
        let rows = entries.enumerated().compactMap { index, entry in
            let place = memory.slot(index)
            let slot = LedgerSlot(memory: place.memory, texts: place.texts, names: LedgerWriter.names)
            slot.begin(entry, sequence(index))
            slot.end(entry)
            return LedgerRow(slot, isFinished: true).map { JournalEntry(place: index, row: $0) }
        }
        try write(rows, of: process, batch: batch)
    }
}

/// A slot outside a journal.
final class LooseSlot {
    let memory: JournalMemory
    let slot: LedgerSlot

    /// - Parameter hasNames: whether the slot has a name table.
    init(hasNames: Bool = true) {
        memory = JournalMemory.allocate(slots: 2)
        let first = memory.slot(0)
        slot = LedgerSlot(memory: first.memory, texts: first.texts, names: hasNames ? memory.names : nil)
        let next = memory.slot(1)
        next.memory.initializeMemory(as: UInt8.self, repeating: 0xA5, count: LedgerSlot.size)
        next.texts.initializeMemory(as: UInt8.self, repeating: 0xA5, count: LedgerSlot.textsSize)
    }

    deinit { memory.start.deallocate() }

    /// Whether the bytes behind the slot are unchanged.
    var isKept: Bool {
        let next = memory.slot(1)
        return (0..<LedgerSlot.size).allSatisfy { next.memory.load(fromByteOffset: $0, as: UInt8.self) == 0xA5 }
            && (0..<LedgerSlot.textsSize).allSatisfy { next.texts.load(fromByteOffset: $0, as: UInt8.self) == 0xA5 }
    }

    func row(isFinished: Bool = true) -> LedgerRow? { LedgerRow(slot, isFinished: isFinished) }
}
