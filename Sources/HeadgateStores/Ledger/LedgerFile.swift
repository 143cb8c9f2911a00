internal import Glibc

/// The file of a ledger as its writer has it: open, and watched, as it may be removed or replaced meanwhile.
///
/// Belongs to the collecting thread.
final class LedgerFile {
    private let path: String
    private let reader: LedgerReader
    private var opened: (writer: LedgerWriter, identity: FileIdentity?)?
    /// What SQLite keeps beside the file that was opened.
    private var companions: [(path: String, identity: FileIdentity)] = []

    /// - Parameter reader: has the same file open.
    init(_ database: SQLiteDatabase, _ reader: LedgerReader) {
        path = database.file
        self.reader = reader
        keep(LedgerWriter(database))
    }

    private func keep(_ writer: LedgerWriter) {
        opened = (writer, FileIdentity(of: path))
        companions = ["-wal", "-shm"].compactMap { suffix in
            FileIdentity(of: path + suffix).map { (path + suffix, $0) }
        }
    }

    /// What writes into the file that is there now; a file is made where there is none.
    ///
    /// - Parameter isGone: called where it is not the one that was there before.
    /// - Throws: ``StoreError`` where it cannot be opened; then it is tried again the next time.
    func writer(isGone: () -> Void) throws(StoreError) -> LedgerWriter {
        if let opened, opened.identity == FileIdentity(of: path) { return opened.writer }
        if opened != nil {
            isGone()
            // All of it, before another is opened: two of the same name would share what SQLite keeps beside them.
            opened = nil
            reader.letGo()
            removeCompanions()
        }
        makeFolder()
        let database = try SQLiteDatabase(path, schema: .ledger)
        let writer = LedgerWriter(database)
        do {
            try reader.openAgain()
        } catch {
            throw error as? StoreError ?? StoreError(.failed, path, "\(error)")
        }
        keep(writer)
        return writer
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

/// Which file it is that has a name.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// Nil where there is none.
    init?(of path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
