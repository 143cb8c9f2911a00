package import HeadgateConfiguration
import HeadgateLibC
import HeadgateStores

/// Location of a gateway's state, as given on a command line.
package struct StateLocation {
    /// Description of a valid location: a folder, or a PostgreSQL database.
    package static let expected = "a folder with usage.db and keys.db, or \(PostgreSQLURL.example)"

    let place: StateCopy.Place
    /// Name of the location, for people.
    package let name: String

    /// - Throws: ``Complaint``.
    package init(_ text: String) throws {
        if PostgreSQLURL.isMeant(text) {
            let url = try StateLocation.url(text)
            (place, name) = (.server(PostgreSQLServer(url)), url.place)
        } else {
            guard !text.isEmpty, !text.contains("://"), !text.utf8.contains(0) else {
                // The text is not repeated, since it might be another tool's URL with a password.
                throw Complaint("a place of state: expected \(StateLocation.expected)")
            }
            var folder = text
            while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
            (place, name) = (.folder(folder), folder)
        }
    }

    /// Parses a URL.
    ///
    /// - Throws: ``Complaint`` if it is not a URL, or has a password, which the list of processes would show.
    static func url(_ text: String) throws -> PostgreSQLURL {
        let url: PostgreSQLURL
        do {
            url = try PostgreSQLURL(parsing: text)
        } catch {
            throw Complaint("the URL of PostgreSQL: \(error.message)")
        }
        guard !url.holdsPassword else {
            throw Complaint(
                "a password on a command line can be read by every user of this machine: leave it out of the URL, and put "
                    + "it into PGPASSWORD, or into ~/.pgpass")
        }
        return url
    }

    var isFolder: Bool { if case .folder = place { true } else { false } }
}

/// Result of `headgate check --live` for PostgreSQL.
package struct PostgreSQLFinding {
    package let works: Bool
    /// Message, possibly of the server; not safe for a terminal.
    package let words: String

    /// Queries the server and waits for it. Must not be called on a loop.
    package init(_ url: PostgreSQLURL) {
        do throws(StoreError) {
            words = try PostgreSQLProbe(PostgreSQLServer(url)).look()
            works = true
        } catch {
            words = "\(error)"
            works = false
        }
    }
}
