internal import Glibc

/// What a gateway that was killed has left. Its file is locked until this is let go of.
package final class JournalRemains {
    /// The number of that gateway; 0 where the file is no journal, or one of another version of the gateway.
    package private(set) var process: Int64 = 0
    /// Whether it is a journal of this version, or one that was never made ready: nobody else needs its file.
    private(set) var isJournal: Bool
    package private(set) var entries: [JournalEntry] = []
    private let descriptor: Int32
    private var memory: UnsafeMutableRawPointer?
    private var size = 0

    /// - Returns: nil where that gateway lives, or may just be born.
    package init?(at path: String) {
        isJournal = LedgerFiles.isDraft(path)
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        // Who has it locked is alone with it; where it has been removed, that one has read it.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0,
            status.st_mode & S_IFMT == S_IFREG,
            !path.hasSuffix(LedgerFiles.draftSuffix) || status.st_mtim.tv_sec < time(nil) - 60
        else { return nil }
        size = Int(status.st_size)
        guard size > Journal.headerSize,
            let mapped = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), mapped != MAP_FAILED
        else { return }
        memory = mapped
        read(mapped)
    }

    deinit {
        if let memory { munmap(memory, size) }
        if descriptor >= 0 { close(descriptor) }
    }

    private func read(_ memory: UnsafeRawPointer) {
        let slots = Int(memory.load(fromByteOffset: 16, as: Int64.self))
        guard memory.load(as: UInt64.self) == Journal.mark else { return }
        isJournal = true
        guard (1...1 << 20).contains(slots), Journal.headerSize + slots * (4 + LedgerSlot.size) <= size else { return }
        process = memory.load(fromByteOffset: 8, as: Int64.self)
        let first = memory + Journal.headerSize + 4 * slots
        entries = (0..<slots).compactMap { index in
            let word = memory.load(fromByteOffset: Journal.headerSize + 4 * index, as: UInt32.self)
            let remains = JournalState(rawValue: word)?.remains ?? .nothing
            guard remains != .nothing,
                let row = LedgerRow(first + LedgerSlot.size * index, isFinished: remains == .whole)
            else { return nil }
            return JournalEntry(place: index, row: row)
        }
    }
}
