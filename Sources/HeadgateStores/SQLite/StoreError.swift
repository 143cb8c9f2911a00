internal import CSQLite
internal import HeadgateLibC

/// Failure of a store: one line that names the file or the server and says what to do.
package struct StoreError: Error, Equatable, CustomStringConvertible {
    package enum Cause: Equatable, Sendable {
        /// The system has no SQLite.
        case noLibrary
        /// The system has no libpq.
        case noPostgreSQL
        /// The server cannot be reached, or does not respond.
        case unreachable
        /// The server rejects the gateway's credentials.
        case refused
        /// The gateway's role lacks a privilege.
        case forbidden
        /// The tables are missing or outdated, and the gateway's role lacks the privilege to create them.
        case noTables
        /// The database has another encoding.
        case notUTF8
        /// The file cannot be opened or created.
        case unopened
        case readOnly
        /// No space is left, or the file has reached its maximum size.
        case full
        /// Another process held the lock too long.
        case busy
        case damaged
        /// The file is not a store of this kind.
        case foreign
        /// A newer version of Headgate wrote the store.
        case newer
        /// Too many jobs are pending.
        case overloaded
        /// The store is closed.
        case closed
        /// The folder has no state of a gateway.
        case nothing
        /// The query took too long, or its caller no longer waits.
        case cancelled
        case failed
    }

    package let cause: Cause
    package let file: String
    /// Message of the system, SQLite or PostgreSQL.
    let reason: String

    init(_ cause: Cause, _ file: String, _ reason: String = "") {
        self.cause = cause
        self.file = file
        self.reason = reason
    }

    /// Returns the error for a place without state.
    package static func nothing(_ name: String) -> StoreError { StoreError(.nothing, name) }

    package var description: String { "\(file): \(words)" }

    private var words: String {
        // Messages that differ between files and servers.
        let (isServer, place) = (file.hasPrefix("postgresql:"), file.hasPrefix("postgresql:") ? "database" : "file")
        return switch cause {
        case .noPostgreSQL: "libpq is not installed: install Debian's libpq5, which has libpq.so.5"
        case .unreachable: "cannot be reached (\(reason))"
        case .refused: "does not let the gateway in (\(reason)): correct the URL, the password or pg_hba.conf"
        case .forbidden: "the gateway's role may not use it (\(reason)): grant it what docs/postgresql.md says"
        case .noTables:
            "has no tables of this version, and the gateway's role may not make them (\(reason)): run "
                + "'headgate state prepare' as their owner"
        case .notUTF8: "its encoding is \(reason): make a database with ENCODING 'UTF8'"
        case .readOnly where isServer:
            "is read-only (\(reason)): name the primary server, or all with "
                + "target_session_attrs=read-write"
        case .full where isServer: "there is no space left for it (\(reason))"
        case .busy where isServer: "another session keeps it locked (\(reason))"
        case .damaged where isServer: "its tables are not those of Headgate (\(reason)): name another database"
        case .noLibrary: "SQLite is not installed: install Debian's libsqlite3-0, which has libsqlite3.so.0"
        case .unopened: "cannot be opened (\(reason)): name a file in a folder that the gateway's user may write to"
        case .readOnly: "is read-only: let the gateway's user write to it and to its folder, or name another file"
        case .full: "there is no space left for it: make room on its disk"
        case .busy: "another process keeps it locked: end that, or name another file"
        case .damaged: "is damaged, or no SQLite database: move it away, and a new one is made; or restore a backup"
        case .foreign: "is a database of something else: name another file"
        case .newer: "was written by a newer Headgate (\(reason)): run that one, or name another \(place)"
        case .overloaded: "more is to be written than it takes"
        case .closed: "is closed"
        case .nothing: "has neither usage.db nor keys.db: name another folder"
        case .cancelled: "a question was given up, as it took too long"
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
            case SQLITE_INTERRUPT: .cancelled
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damaged
            default: .failed
            }
        self.init(cause, file, "SQLite's code \(code)")
    }
}
