package import HeadgateConfiguration
import HeadgateLibC

/// Place of managed keys: next to a ledger in PostgreSQL, or else in `keys.db` of the data folder.
package enum ManagedKeyPlace: Equatable {
    case file(String, folder: String)
    case server(PostgreSQLURL)

    /// Returns nil without a data folder.
    package init?(_ ledger: LedgerConfiguration.Place, _ environment: [String: String]) {
        if case .postgreSQL(let url) = ledger {
            self = .server(url)
        } else if let folder = DataFolder.path(environment) {
            self = .file(folder + "/keys.db", folder: folder)
        } else {
            return nil
        }
    }

    /// Whether other machines can manage keys there too.
    var isShared: Bool { if case .server = self { true } else { false } }

    /// Whether keys are or were managed there. This is unknown for a server, and then true.
    var mayHoldKeys: Bool {
        switch self {
        case .file(let path, _): access(path, F_OK) == 0
        case .server: true
        }
    }

    /// Returns whether it is the same place, with any credentials.
    func isSame(as other: ManagedKeyPlace?) -> Bool {
        switch (self, other) {
        case (.file(let path, _), .file(let otherPath, _)?): path == otherPath
        case (.server(let url), .server(let otherURL)?): url.place == otherURL.place
        default: false
        }
    }
}
