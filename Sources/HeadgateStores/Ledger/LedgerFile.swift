internal import HeadgateLibC

/// File of a ledger, as its writer uses it. The file is checked before each use, since it can be removed or replaced.
///
/// Belongs to the collecting thread.
final class LedgerFile: LedgerDatabase {
    private let path: String
    private let isGone: () -> Void
    private var isOpened: (() -> Void)?
    private let reader: LedgerReader
    private var opened: (writer: LedgerWriter, identity: FileIdentity?)?
    /// SQLite's companion files of the open file.
    private var companions: [(path: String, identity: FileIdentity)] = []
    private var retry = MoveRetry()
    private let now: () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - database: the database; nil to open it for the first write.
    ///   - reader: the reader of the same file, which is opened with it.
    ///   - now: the clock that times retries after requests of an older version could not be moved.
    ///   - isOpened: called once, when the file is opened later.
    ///   - isGone: called if the file was removed or replaced.
    init(
        _ path: String, _ database: SQLiteDatabase?, _ reader: LedgerReader,
        now: @escaping () -> ContinuousClock.Instant = { .now }, isOpened: (() -> Void)? = nil,
        isGone: @escaping () -> Void
    ) {
        self.path = path
        self.isGone = isGone
        self.isOpened = isOpened
        self.reader = reader
        self.now = now
        if let database { keep(LedgerWriter(database)) }
    }

    private func keep(_ writer: LedgerWriter) {
        opened = (writer, FileIdentity(of: path))
        companions = ["-wal", "-shm"].compactMap { suffix in
            FileIdentity(of: path + suffix).map { (path + suffix, $0) }
        }
    }

    var name: String { path }

    func write(
        _ entries: [JournalEntry], of process: Int64, batch: Int64, note: (JournalEntry) -> Void
    ) throws(StoreError) { try writer().write(entries, of: process, batch: batch, note: note) }

    func latestEnd() throws(StoreError) -> Int64 { try writer().latestEnd() }

    func forget(before end: Int64) throws(StoreError) -> Bool {
        let writer = try writer()
        if try writer.forget(before: end) { return true }
        // If a reader uses the log, it is emptied the next time.
        try? writer.database.emptyLog()
        return false
    }

    func forgetJournals(unless isThere: (_ process: Int64) -> Bool) throws(StoreError) {
        try writer().forgetJournals(unless: isThere)
    }

    /// Returns the writer of the current file, which is created if there is none.
    ///
    /// - Throws: ``StoreError`` if the file cannot be opened; the next call tries again.
    private func writer() throws(StoreError) -> LedgerWriter {
        if let opened, opened.identity == FileIdentity(of: path) { return opened.writer }
        if opened != nil {
            isGone()
            // Everything is closed before another file is opened, since two files with one name would share SQLite's
            // companion files.
            opened = nil
            reader.closeFile()
            removeCompanions()
        }
        makeFolder()
        let database = try open()
        let writer = LedgerWriter(database)
        do {
            try reader.openAgain()
        } catch {
            throw error as? StoreError ?? StoreError(.failed, path, "\(error)")
        }
        keep(writer)
        isOpened?()
        isOpened = nil
        return writer
    }

    /// Opens the file and migrates it from an older version, unless that failed a moment ago.
    private func open() throws(StoreError) -> SQLiteDatabase {
        let identity = FileIdentity(of: path)
        if let reason = retry.reason(of: identity, at: now()) { throw reason }
        let isMove = try SQLiteSchema.ledger.isOutdated(path)
        do throws(StoreError) {
            return try SQLiteDatabase(path, schema: .ledger)
        } catch {
            if isMove { retry.note(error, of: identity, at: now()) }
            throw error
        }
    }

    /// Removes the companion files of the previous database. SQLite would write its log into the current one.
    private func removeCompanions() {
        for (path, identity) in companions where FileIdentity(of: path) == identity { unlink(path) }
        companions = []
    }

    private func makeFolder() {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        mkdir(String(path[..<slash]), 0o700)
    }
}
