internal import Glibc

/// The file of a ledger as its writer has it: open, and watched, as it may be removed or replaced meanwhile.
///
/// Belongs to the collecting thread.
final class LedgerFile: LedgerDatabase {
    private let path: String
    private let isGone: () -> Void
    private var isOpened: (() -> Void)?
    private let reader: LedgerReader
    private var opened: (writer: LedgerWriter, identity: FileIdentity?)?
    /// What SQLite keeps beside the file that was opened.
    private var companions: [(path: String, identity: FileIdentity)] = []
    private var retry = MoveRetry()
    private let now: () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - database: nil for one that is opened when something is to be written.
    ///   - reader: has the same file open, or opens it then.
    ///   - now: asked once requests of an older version cannot be moved.
    ///   - isOpened: called once, where it was not open and is.
    ///   - isGone: called where the file is not the one that was there before.
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
        // What others read is emptied the next time.
        try? writer.database.emptyLog()
        return false
    }

    func forgetJournals(unless isThere: (_ process: Int64) -> Bool) throws(StoreError) {
        try writer().forgetJournals(unless: isThere)
    }

    /// What writes into the file that is there now; a file is made where there is none.
    ///
    /// - Throws: ``StoreError`` where it cannot be opened; then it is tried again the next time.
    private func writer() throws(StoreError) -> LedgerWriter {
        if let opened, opened.identity == FileIdentity(of: path) { return opened.writer }
        if opened != nil {
            isGone()
            // All of it, before another is opened: two of the same name would share what SQLite keeps beside them.
            opened = nil
            reader.letGo()
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

    /// Brings a file of an older version up to date, unless that has failed a moment ago.
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

    /// SQLite would write the log of the file that was there into the one that is there now.
    private func removeCompanions() {
        for (path, identity) in companions where FileIdentity(of: path) == identity { unlink(path) }
        companions = []
    }

    private func makeFolder() {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        mkdir(String(path[..<slash]), 0o700)
    }
}
