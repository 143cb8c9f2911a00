internal import Glibc
package import HeadgateGateway
internal import Synchronization

/// The requests of one gateway that are under way, or not in the ledger's database yet, in a file that is mapped into
/// memory: the kernel has it when the process is killed.
///
/// The file is locked while its gateway lives, and as large as it gets from the start: a disk that fills up later harms
/// nobody. Loops take and fill slots; one thread collects those that are finished.
package final class Journal: Sendable {
    package static let standardSlots = 16_384
    private static let mark: UInt64 = 0x3167_6A75_7367_6768
    /// Octets before the states.
    private static let headerSize = 4096

    let path: String
    /// The gateway's own number, by which its requests are told from those of others.
    let process: Int64
    let slots: Int
    private let descriptor: Int32
    // Mapped until the end; every access to a slot is ordered by its state.
    private nonisolated(unsafe) let memory: UnsafeMutableRawPointer
    /// Where the next free slot is probably.
    private let next = Atomic<Int>(0)
    /// At least as many as have a slot.
    private let used = Atomic<Int>(0)
    private let sequence = Atomic<Int64>(0)
    /// Beyond the highest slot that may be in use.
    private let end = Atomic<Int>(0)
    private let finished = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)

    /// Makes a journal that nobody has.
    ///
    /// - Parameter prefix: of its path.
    package init(prefix: String, slots: Int = standardSlots) throws(StoreError) {
        var numbers = SystemRandomNumberGenerator()
        process = Int64(truncatingIfNeeded: numbers.next() >> 1)
        path = prefix + String(UInt64(process), radix: 16)
        self.slots = slots
        let size = Journal.headerSize + slots * (4 + LedgerSlot.size)
        // Under another name until it is locked: whoever looks for those of the dead does not see it.
        let draft = path + ".new"
        descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Journal.error(errno, path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw Journal.fail(errno, path, descriptor, draft) }
        let shortage = posix_fallocate(descriptor, 0, off_t(size))
        guard shortage == 0 else { throw Journal.fail(shortage, path, descriptor, draft) }
        guard let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), mapped != MAP_FAILED
        else { throw Journal.fail(errno, path, descriptor, draft) }
        memory = mapped
        memory.storeBytes(of: process, toByteOffset: 8, as: Int64.self)
        memory.storeBytes(of: Int64(slots), toByteOffset: 16, as: Int64.self)
        memory.storeBytes(of: Journal.mark, as: UInt64.self)
        guard rename(draft, path) == 0 else {
            let code = errno
            munmap(mapped, size)
            throw Journal.fail(code, path, descriptor, draft)
        }
    }

    deinit {
        munmap(memory, Journal.headerSize + slots * (4 + LedgerSlot.size))
        close(descriptor)
    }

    private static func fail(_ code: Int32, _ path: String, _ descriptor: Int32, _ draft: String) -> StoreError {
        close(descriptor)
        unlink(draft)
        return error(code, path)
    }

    private static func error(_ code: Int32, _ path: String) -> StoreError {
        StoreError(
            code == EROFS ? .readOnly : code == ENOSPC ? .full : .unopened, path, String(cString: strerror(code)))
    }

    private func state(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
        (memory + Journal.headerSize + 4 * index).assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    private func slot(_ index: Int) -> UnsafeMutableRawPointer {
        memory + Journal.headerSize + 4 * slots + LedgerSlot.size * index
    }

    // MARK: On the loops

    package func begin(_ entry: borrowing LedgerEntry) -> LedgerPlace? {
        guard used.wrappingAdd(1, ordering: .acquiring).newValue <= slots else { return drop() }
        // One is free; it is the first that is tried, but for what streams have left between theirs.
        for _ in 0..<2 * slots {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue % slots
            guard state(index).pointee.load(ordering: .relaxed) == JournalState.free.rawValue else { continue }
            let (isTaken, _) = state(index).pointee.compareExchange(
                expected: JournalState.free.rawValue, desired: JournalState.taken.rawValue,
                ordering: .sequentiallyConsistent)
            guard isTaken else { continue }
            end.max(index + 1, ordering: .sequentiallyConsistent)
            LedgerSlot.write(entry, sequence.wrappingAdd(1, ordering: .relaxed).newValue, to: slot(index))
            state(index).pointee.store(JournalState.begun.rawValue, ordering: .releasing)
            return LedgerPlace(index)
        }
        return drop()
    }

    private func drop() -> LedgerPlace? {
        used.wrappingSubtract(1, ordering: .relaxed)
        dropped.wrappingAdd(1, ordering: .relaxed)
        return nil
    }

    /// Fills the slot again.
    ///
    /// - Parameter state: what it has from now on.
    package func change(_ entry: borrowing LedgerEntry, at place: LedgerPlace, to state: JournalState) {
        let slot = slot(place.index)
        LedgerSlot.write(entry, slot.loadUnaligned(as: Int64.self), to: slot)
        self.state(place.index).pointee.store(state.rawValue, ordering: .releasing)
        if state == .finished { finished.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    }

    var pendingCount: Int { finished.load(ordering: .sequentiallyConsistent) }
    var droppedCount: Int { dropped.load(ordering: .relaxed) }

    // MARK: On the collecting thread

    /// Those that are finished; they stay until they are let go of.
    ///
    /// - Parameter limit: how many.
    func collect(_ limit: Int) -> [JournalEntry] {
        var entries: [JournalEntry] = []
        var (highest, lowestFree) = (0, Int?.none)
        let end = end.load(ordering: .relaxed)
        for index in 0..<end {
            let state = JournalState(rawValue: state(index).pointee.load(ordering: .acquiring)) ?? .free
            if state != .free { highest = index + 1 } else if lowestFree == nil { lowestFree = index }
            guard state == .finished, entries.count < limit, let read = LedgerSlot.read(slot(index)) else { continue }
            entries.append(
                JournalEntry(place: index, process: process, sequence: read.sequence, entry: read.entry))
        }
        // From the start again, so that memory that was needed once rests.
        if entries.count < limit {
            next.store(lowestFree ?? end, ordering: .relaxed)
            shorten(from: end, to: highest)
        }
        return entries
    }

    private func shorten(from old: Int, to new: Int) {
        guard new < old, end.compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged
        else { return }
        // Whoever has taken one of these meanwhile may have found the end high enough.
        for index in new..<old where state(index).pointee.load(ordering: .sequentiallyConsistent) != 0 {
            end.max(index + 1, ordering: .sequentiallyConsistent)
        }
    }

    func letGo(_ entries: [JournalEntry]) {
        for entry in entries { state(entry.place).pointee.store(JournalState.free.rawValue, ordering: .releasing) }
        used.wrappingSubtract(entries.count, ordering: .releasing)
        finished.wrappingSubtract(entries.count, ordering: .sequentiallyConsistent)
    }

    /// Whether no request has a slot.
    var isEmpty: Bool { (0..<slots).allSatisfy { state($0).pointee.load(ordering: .acquiring) == 0 } }

    package func remove() { unlink(path) }

    // MARK: Of the dead

    /// What a gateway that was killed has left.
    ///
    /// - Returns: nil where it lives, or may just be born; nothing where the file is no journal.
    static func remains(at path: String) -> [JournalEntry]? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        // Who reads on while it is locked is alone with it.
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            !path.hasSuffix(".new") || status.st_mtim.tv_sec < time(nil) - 60
        else { return nil }
        guard status.st_size > headerSize,
            let memory = mmap(nil, Int(status.st_size), PROT_READ, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { return [] }
        defer { munmap(memory, Int(status.st_size)) }
        let slots = Int(memory.loadUnaligned(fromByteOffset: 16, as: Int64.self))
        guard memory.loadUnaligned(as: UInt64.self) == mark, (1...1 << 20).contains(slots),
            headerSize + slots * (4 + LedgerSlot.size) <= Int(status.st_size)
        else { return [] }
        let process = memory.loadUnaligned(fromByteOffset: 8, as: Int64.self)
        return (0..<slots).compactMap { index in
            let word = memory.loadUnaligned(fromByteOffset: headerSize + 4 * index, as: UInt32.self)
            let remains = JournalState(rawValue: word)?.remains ?? .nothing
            guard remains != .nothing,
                var read = LedgerSlot.read(memory + headerSize + 4 * slots + LedgerSlot.size * index)
            else { return nil }
            if remains == .unfinished {
                read.entry.outcome = LedgerEntry.unfinished
                read.entry.cost = nil
            }
            return JournalEntry(place: index, process: process, sequence: read.sequence, entry: read.entry)
        }
    }
}

/// A request of a journal, and which of all requests it is.
struct JournalEntry: Sendable {
    let place: Int
    let process: Int64
    let sequence: Int64
    let entry: LedgerEntry
}
