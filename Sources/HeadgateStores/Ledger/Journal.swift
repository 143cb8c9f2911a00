internal import CHeadgate
internal import HeadgateLibC
package import HeadgateRelay
internal import Synchronization

/// Requests of one gateway that are in progress, or not yet in the ledger's database. The journal is a file that is
/// mapped into memory, so it survives if the process is killed.
///
/// The file is locked while its gateway runs. It has its full size from the start, so that a disk that fills up later
/// does no harm. Loops take and fill slots; one thread collects the finished ones.
package final class Journal: Sendable {
    package static let standardSlots = 16_384
    let path: String
    /// Number of the gateway, which distinguishes its requests from those of others.
    let process: Int64
    let slots: Int
    private let descriptor: Int32
    // The memory stays mapped until `deinit`; every access to a slot is ordered by its state.
    private nonisolated(unsafe) let memory: JournalMemory
    /// Probable index of the next free slot.
    private let next = Atomic<Int>(0)
    /// Upper bound of the number of slots in use.
    private let used = Atomic<Int>(0)
    private let sequence = Atomic<Int64>(0)
    /// Upper bound of the slots that can be in use: no index is at or above it.
    private let end = Atomic<Int>(0)
    private let finished = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)

    /// Creates a journal.
    ///
    /// - Parameter prefix: the prefix of its path.
    package init(prefix: String, slots: Int = standardSlots) throws(StoreError) {
        var numbers = SystemRandomNumberGenerator()
        process = Int64(truncatingIfNeeded: numbers.next() >> 1)
        path = prefix + String(UInt64(process), radix: 16)
        self.slots = slots
        let size = JournalMemory.size(slots: slots)
        // The file has a draft name until it is locked, so that a search for abandoned journals does not find it.
        let draft = path + LedgerFiles.draftSuffix
        descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Journal.error(errno, path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw Journal.fail(errno, path, descriptor, draft) }
        let shortage = headgate_reserve_space(descriptor, off_t(size))
        guard shortage == 0 else { throw Journal.fail(-shortage, path, descriptor, draft) }
        guard let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), mapped != MAP_FAILED
        else { throw Journal.fail(errno, path, descriptor, draft) }
        memory = JournalMemory(start: mapped, slots: slots)
        memory.begin(process: process)
        guard rename(draft, path) == 0 else {
            let code = errno
            munmap(mapped, size)
            throw Journal.fail(code, path, descriptor, draft)
        }
    }

    /// Creates a journal in memory, which ends with the process.
    package init(slots: Int = standardSlots) throws(StoreError) {
        var numbers = SystemRandomNumberGenerator()
        process = Int64(truncatingIfNeeded: numbers.next() >> 1)
        (path, descriptor) = ("", -1)
        self.slots = slots
        let size = JournalMemory.size(slots: slots)
        guard let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            mapped != MAP_FAILED
        else { throw Journal.error(errno, "the ledger's memory") }
        memory = JournalMemory(start: mapped, slots: slots)
        memory.begin(process: process)
    }

    /// Whether the gateway of a journal is running.
    static func isLocked(_ path: String) -> Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    deinit {
        munmap(memory.start, JournalMemory.size(slots: slots))
        if descriptor >= 0 { close(descriptor) }
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

    private func state(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt32>> { memory.state(index) }

    private func slot(_ index: Int) -> LedgerSlot { memory.slot(index) }

    // MARK: On the loops

    package func begin(_ entry: borrowing LedgerEntry) -> LedgerPlace? {
        guard used.wrappingAdd(1, ordering: .acquiring).newValue <= slots else { return drop() }
        // At least one slot is free. The first one tried usually is, unless a long stream still occupies it.
        for _ in 0..<2 * slots {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue % slots
            guard state(index).pointee.load(ordering: .relaxed) == JournalState.free.rawValue else { continue }
            let (isTaken, _) = state(index).pointee.compareExchange(
                expected: JournalState.free.rawValue, desired: JournalState.taken.rawValue,
                ordering: .sequentiallyConsistent)
            guard isTaken else { continue }
            end.max(index + 1, ordering: .sequentiallyConsistent)
            slot(index).begin(entry, sequence.wrappingAdd(1, ordering: .relaxed).newValue)
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

    /// Records the result of a request whose response is complete.
    package func prepare(_ entry: borrowing LedgerEntry, at place: LedgerPlace) {
        slot(place.index).end(entry)
        state(place.index).pointee.store(JournalState.prepared.rawValue, ordering: .releasing)
    }

    /// - Returns: the number of requests that are finished and not written.
    @discardableResult
    package func finish(_ entry: borrowing LedgerEntry, at place: LedgerPlace) -> Int {
        slot(place.index).end(entry)
        return finish(place)
    }

    /// Finishes a request with the result that was prepared.
    ///
    /// - Parameter time: milliseconds since 1970.
    /// - Returns: the number of requests that are finished and not written; nil, without an effect, if the request was
    ///   not prepared.
    @discardableResult
    package func finish(at place: LedgerPlace, endedAt time: Int64) -> Int? {
        guard state(place.index).pointee.load(ordering: .relaxed) == JournalState.prepared.rawValue else { return nil }
        slot(place.index).setEnd(time)
        return finish(place)
    }

    private func finish(_ place: LedgerPlace) -> Int {
        // Counted before the slot can be collected; otherwise a release could take the count below zero.
        let pending = finished.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
        state(place.index).pointee.store(JournalState.finished.rawValue, ordering: .releasing)
        return pending
    }

    var pendingCount: Int { finished.load(ordering: .sequentiallyConsistent) }
    var droppedCount: Int { dropped.load(ordering: .relaxed) }

    // MARK: On the collecting thread

    /// Returns finished requests, whose slots stay in use until they are released.
    ///
    /// - Parameter limit: the maximum number.
    func collect(_ limit: Int) -> [JournalEntry] {
        var entries: [JournalEntry] = []
        var (highest, lowestFree) = (0, Int?.none)
        let end = end.load(ordering: .relaxed)
        entries.reserveCapacity(min(limit, pendingCount))
        for index in 0..<end {
            let state = JournalState(rawValue: state(index).pointee.load(ordering: .acquiring)) ?? .free
            if state != .free { highest = index + 1 } else if lowestFree == nil { lowestFree = index }
            guard state == .finished, entries.count < limit,
                let row = LedgerRow(slot(index), isFinished: true)
            else { continue }
            entries.append(JournalEntry(place: index, row: row))
        }
        // Starts again at the lowest free slot, so that memory needed only at a peak is no longer touched.
        if entries.count < limit {
            next.store(lowestFree ?? end, ordering: .relaxed)
            shorten(from: end, to: highest)
        }
        return entries
    }

    private func shorten(from old: Int, to new: Int) {
        guard new < old, end.compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged
        else { return }
        // A loop that has taken one of these slots meanwhile might have seen the old end, and not raised it.
        for index in new..<old where state(index).pointee.load(ordering: .sequentiallyConsistent) != 0 {
            end.max(index + 1, ordering: .sequentiallyConsistent)
        }
    }

    /// Records the batch in which a request is written, for recovery after this process is killed.
    func note(_ batch: Int64, of entry: JournalEntry) { slot(entry.place).setBatch(batch) }

    /// Frees the slots of written requests.
    func release(_ entries: [JournalEntry]) {
        for entry in entries { state(entry.place).pointee.store(JournalState.free.rawValue, ordering: .releasing) }
        used.wrappingSubtract(entries.count, ordering: .releasing)
        finished.wrappingSubtract(entries.count, ordering: .sequentiallyConsistent)
    }

    /// Whether no request has a slot.
    var isEmpty: Bool { (0..<slots).allSatisfy { state($0).pointee.load(ordering: .acquiring) == 0 } }

    package func remove() { if !path.isEmpty { unlink(path) } }
}

/// Request in a journal, valid until its slot is released.
package struct JournalEntry {
    let place: Int
    package let row: LedgerRow
}

/// Requests of a gateway's own journal that are written next, in one transaction.
///
/// The requests stay the same until they are released, however often the write is tried. If a later try left out a
/// request, recovery would take that request for written, since its slot has the number of an earlier batch.
struct JournalBatch {
    private let journal: Journal
    private(set) var entries: [JournalEntry] = []
    /// Number of the batch, which increases with each try.
    private(set) var number: Int64 = 0

    init(of journal: Journal) { self.journal = journal }

    /// Takes finished requests, unless the previous ones could not be written.
    mutating func fill(upTo limit: Int) {
        if entries.isEmpty { entries = journal.collect(limit) }
        number += 1
    }

    /// Releases the requests after they are written.
    mutating func release() {
        journal.release(entries)
        entries = []
    }
}
