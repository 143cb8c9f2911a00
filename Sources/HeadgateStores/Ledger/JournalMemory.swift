internal import Synchronization

/// Memory that a journal maps: a header, the names that its requests have in common, slots, the states of the slots,
/// and the texts that do not fit into slots.
struct JournalMemory {
    // "hggsujg3"
    private static let mark: UInt64 = 0x3367_6A75_7367_6768
    private static let headerSize = 4096
    private static let slotsStart = headerSize + LedgerNames.size

    let start: UnsafeMutableRawPointer
    let slots: Int

    /// Minimum bytes of a journal: its header.
    static let smallest = headerSize

    /// Returns the bytes of a journal.
    static func size(slots: Int) -> Int { slotsStart + slots * (LedgerSlot.size + 4 + LedgerSlot.textsSize) }

    /// Creates memory without a file; the caller deallocates its `start`.
    static func allocate(slots: Int) -> JournalMemory {
        let start = UnsafeMutableRawPointer.allocate(byteCount: size(slots: slots), alignment: 64)
        start.initializeMemory(as: UInt8.self, repeating: 0, count: slotsStart)
        let memory = JournalMemory(start: start, slots: slots)
        memory.names.begin()
        return memory
    }

    /// Writes the header.
    func begin(process: Int64) {
        names.begin()
        start.storeBytes(of: process, toByteOffset: 8, as: Int64.self)
        start.storeBytes(of: Int64(slots), toByteOffset: 16, as: Int64.self)
        start.storeBytes(of: JournalMemory.mark, as: UInt64.self)
    }

    func state(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
        (start + JournalMemory.slotsStart + LedgerSlot.size * slots + 4 * index).assumingMemoryBound(
            to: Atomic<UInt32>.self)
    }

    func slot(_ index: Int) -> LedgerSlot {
        let slots = start + JournalMemory.slotsStart
        return LedgerSlot(
            memory: slots + LedgerSlot.size * index,
            texts: slots + (LedgerSlot.size + 4) * self.slots + LedgerSlot.textsSize * index,
            names: names)
    }

    var names: LedgerNames { LedgerNames(memory: start + JournalMemory.headerSize) }

    // MARK: Recovery from a killed gateway

    /// Contents of a file.
    enum Contents {
        case nothing
        /// Header of a journal that is truncated or damaged.
        case header
        case requests(process: Int64, [JournalEntry])
    }

    /// Reads the contents of a mapped file.
    ///
    /// - Parameter size: bytes of the file.
    static func contents(_ start: UnsafeMutableRawPointer, _ size: Int) -> Contents {
        let mark = start.load(as: UInt64.self)
        guard mark == JournalMemory.mark || mark == OlderSlots.mark else { return .nothing }
        let slots = Int(start.load(fromByteOffset: 16, as: Int64.self))
        guard (1...1 << 20).contains(slots) else { return .header }
        let process = start.load(fromByteOffset: 8, as: Int64.self)
        if mark == OlderSlots.mark {
            guard OlderSlots.size(slots: slots) <= size else { return .header }
            return .requests(process: process, entries(slots, OlderSlots.state(start), OlderSlots.slot(start, slots)))
        }
        guard JournalMemory.size(slots: slots) <= size else { return .header }
        let memory = JournalMemory(start: start, slots: slots)
        return .requests(
            process: process,
            entries(slots, { memory.state($0).pointee.load(ordering: .acquiring) }, memory.slot))
    }

    private static func entries(
        _ slots: Int, _ state: (Int) -> UInt32, _ slot: (Int) -> LedgerSlot
    ) -> [JournalEntry] {
        (0..<slots).compactMap { index in
            let remains = JournalState(rawValue: state(index))?.remains ?? .nothing
            guard remains != .nothing, let row = LedgerRow(slot(index), isFinished: remains == .whole) else {
                return nil
            }
            return JournalEntry(place: index, row: row)
        }
    }
}

/// A journal of version 2, as written by gateways of version 0.1.0. The states follow the header, and each slot has its
/// texts behind its numbers.
private enum OlderSlots {
    // "hggsujg2"
    static let mark: UInt64 = 0x3267_6A75_7367_6768
    private static let headerSize = 4096
    private static let slotSize = 1024
    private static let textsStart = 80

    static func size(slots: Int) -> Int { headerSize + slots * (4 + slotSize) }

    static func state(_ start: UnsafeMutableRawPointer) -> (Int) -> UInt32 {
        { start.load(fromByteOffset: headerSize + 4 * $0, as: UInt32.self) }
    }

    static func slot(_ start: UnsafeMutableRawPointer, _ slots: Int) -> (Int) -> LedgerSlot {
        { index in
            let slot = start + headerSize + 4 * slots + slotSize * index
            return LedgerSlot(memory: slot, texts: slot + textsStart, names: nil)
        }
    }
}
