internal import HeadgateLibC

/// Journal of a killed gateway. Its file stays locked until this object is released.
package final class JournalRemains {
    /// Number of that gateway; 0 if the file is not a journal of a known version.
    package private(set) var process: Int64 = 0
    /// Whether the file is a journal of a known version, or one that was never completed, and can be removed.
    private(set) var isJournal: Bool
    package private(set) var entries: [JournalEntry] = []
    private let descriptor: Int32
    private var memory: UnsafeMutableRawPointer?
    private var size = 0

    /// - Returns: nil if the gateway is running, or might be starting.
    package init?(at path: String) {
        isJournal = LedgerFiles.isDraft(path)
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        // The lock is exclusive. If the file has no links left, an earlier holder has read and removed it.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0,
            status.st_mode & S_IFMT == S_IFREG,
            !path.hasSuffix(LedgerFiles.draftSuffix) || status.modified.tv_sec < time(nil) - 60
        else { return nil }
        size = Int(status.st_size)
        // A private mapping, so that the file is not changed.
        guard size >= JournalMemory.smallest,
            let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0), mapped != MAP_FAILED
        else { return }
        memory = mapped
        switch JournalMemory.contents(mapped, size) {
        case .nothing: break
        case .header: isJournal = true
        case .requests(let process, let entries): (isJournal, self.process, self.entries) = (true, process, entries)
        }
    }

    deinit {
        if let memory { munmap(memory, size) }
        if descriptor >= 0 { close(descriptor) }
    }
}
