internal import CSQLite
internal import Glibc

/// Why a store does not do what it is asked for: one line that names the file and says what to do.
package struct StoreError: Error, Equatable, CustomStringConvertible {
    package enum Cause: Equatable, Sendable {
        /// The system has no SQLite.
        case noLibrary
        /// The file cannot be opened or made.
        case unopened
        case readOnly
        /// No space is left, or the file may not grow further.
        case full
        /// Another process has kept it locked.
        case busy
        case damaged
        /// It is not a store of this kind.
        case foreign
        /// A newer version of Headgate has written it.
        case newer
        /// More is waiting to be written than may wait.
        case overloaded
        /// It has been closed.
        case closed
        /// It has taken longer than it may, or nobody waits for it any more.
        case givenUp
        case failed
    }

    package let cause: Cause
    package let file: String
    /// What the system or SQLite says.
    let reason: String

    init(_ cause: Cause, _ file: String, _ reason: String = "") {
        self.cause = cause
        self.file = file
        self.reason = reason
    }

    package var description: String { "\(file): \(words)" }

    private var words: String {
        switch cause {
        case .noLibrary: "SQLite is not installed: install Debian's libsqlite3-0, which has libsqlite3.so.0"
        case .unopened: "cannot be opened (\(reason)): name a file in a folder that the gateway's user may write to"
        case .readOnly: "is read-only: let the gateway's user write to it and to its folder, or name another file"
        case .full: "there is no space left for it: make room on its disk"
        case .busy: "another process keeps it locked: end that, or name another file"
        case .damaged: "is damaged, or no SQLite database: move it away, and a new one is made; or restore a backup"
        case .foreign: "is a database of something else: name another file"
        case .newer: "was written by a newer Headgate (\(reason)): run that one, or name another file"
        case .overloaded: "more is to be written than the disk takes"
        case .closed: "is closed"
        case .givenUp: "a question was given up, as it took too long"
        case .failed: "cannot be used (\(reason))"
        }
    }

    /// - Parameter code: an extended result code.
    init(sqlite code: Int32, _ file: String) {
        let cause: Cause =
            switch code & 0xFF {
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .unopened
            case SQLITE_READONLY: .readOnly
            case SQLITE_FULL: .full
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_INTERRUPT: .givenUp
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damaged
            default: .failed
            }
        self.init(cause, file, "SQLite's code \(code)")
    }
}
