import CHeadgate
package import HeadgateConfiguration
import HeadgateStores

/// Copies a gateway's state from one place to another, for a command.
package struct StateTransfer {
    private let source: StateLocation
    private let target: StateLocation

    /// - Throws: ``Complaint``.
    package init(from source: StateLocation, to target: StateLocation) throws {
        guard source.name != target.name else { throw Complaint("both are \(source.name): name two places") }
        (self.source, self.target) = (source, target)
    }

    /// - Parameter progress: called with the progress, at most once a second.
    /// - Returns: a summary, one line per kind of data.
    /// - Throws: ``Complaint``.
    package func copy(progress: (String) -> Void) throws -> [String] {
        if case .folder(let path) = target.place { DataFolder.make(path) }
        let copy = StateCopy(from: source.place, to: target.place)
        var last = headgate_monotonic_nanoseconds()
        func tell(_ what: String, _ counts: StateCopy.Counts) {
            let now = headgate_monotonic_nanoseconds()
            guard now > last + 1_000_000_000 else { return }
            last = now
            progress("\(what): \(counts.read) read, \(counts.added) copied")
        }
        do throws(StoreError) {
            let keys = try copy.copyKeys { tell("keys", $0) }
            let requests = try copy.copyRequests { tell("requests", $0) }
            guard keys != nil || requests != nil else {
                throw StoreError.nothing(source.name)
            }
            return [StateTransfer.line("keys", keys), StateTransfer.line("requests", requests)].compactMap(\.self)
        } catch {
            throw Complaint("\(error)")
        }
    }

    private static func line(_ what: String, _ counts: StateCopy.Counts?) -> String? {
        guard let counts else { return nil }
        let there = counts.read - counts.added - counts.different
        let different = counts.different == 0 ? "" : ", \(counts.different) left alone, as another one is there"
        let revoked = counts.revoked == 0 ? "" : ", and the groups of \(counts.revoked) that were revoked"
        return "\(what): \(counts.added) copied, \(there) there already\(different)\(revoked)"
    }

    /// Creates the tables in a database, or migrates them to the latest version.
    ///
    /// - Returns: the place and the version of the tables, for people.
    /// - Throws: ``Complaint``.
    package static func prepare(_ text: String?, or configured: LedgerConfiguration.Place?) throws -> String {
        let url: PostgreSQLURL
        if let text {
            url = try StateLocation.url(text)
        } else if case .postgreSQL(let own)? = configured {
            url = own
        } else {
            throw Complaint("name a database: \(PostgreSQLURL.example), or configure one under 'ledger:'")
        }
        do throws(StoreError) {
            let version = try PostgreSQLProbe(PostgreSQLServer(url)).prepare()
            return "\(url.place): its tables are there, version \(version)"
        } catch {
            throw Complaint("\(error)")
        }
    }
}
