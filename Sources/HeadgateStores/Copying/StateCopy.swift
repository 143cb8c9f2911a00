internal import HeadgateGateway
internal import HeadgateRelay

/// Copies usage and managed keys from one place to another. Existing data stays unchanged, so a copy can be repeated,
/// and made while gateways run.
package struct StateCopy {
    /// Location of stored state.
    package enum Place {
        /// `usage.db` and `keys.db` in a folder.
        case folder(String)
        case server(PostgreSQLServer)
    }

    package struct Counts: Equatable, Sendable {
        package var read = 0
        package var added = 0
        /// Number of records with the same name and different content.
        package var different = 0
        /// Number of added revoked keys in groups. Their usage still counts for their groups.
        package var revoked = 0
    }

    private let source: Place
    private let target: Place
    private let portion: Int

    /// - Parameter portion: rows per read.
    package init(from source: Place, to target: Place, portion: Int = 5_000) {
        self.source = source
        self.target = target
        self.portion = portion
    }

    // MARK: Requests

    /// Copies the requests of the ledger.
    ///
    /// - Parameter progress: called after each portion.
    /// - Returns: nil if the source has no ledger.
    package func copyRequests(progress: (Counts) -> Void = { _ in }) throws(StoreError) -> Counts? {
        guard source.has("usage.db") else { return nil }
        let (from, to) = (try source.archive(), try target.archive())
        var (counts, start) = (Counts(), Int64(0))
        while true {
            var entries = try from.requests(from: start, before: nil, limit: portion)
            guard let last = entries.last?.endedAt else { return counts }
            var end = last + 1
            if entries.count == portion {
                // There can be more requests of the last millisecond.
                entries.removeAll { $0.endedAt == last }
                end = last
                if entries.isEmpty {
                    entries = try from.requests(from: last, before: last + 1, limit: nil)
                    end = last + 1
                }
            }
            counts.read += entries.count
            counts.added += try StateCopy.add(entries, to, number: Int64(counts.added))
            progress(counts)
            start = end
            // A ledger holds no request after its latest time.
            if end > LedgerEntry.latestTime { return counts }
        }
    }

    /// Adds the requests that the target does not have, each as often as it is missing.
    ///
    /// - Returns: the number of added requests.
    private static func add(
        _ entries: [LedgerEntry], _ target: any LedgerArchive, number: Int64
    ) throws(StoreError) -> Int {
        // The entries as the target stores them.
        let wanted = try SlotMemory.withRows(of: entries) { (rows) throws(StoreError) in rows.map(\.entry) }
        var there: [LedgerEntry: Int] = [:]
        // Only these times: the target can hold many more requests, of other gateways.
        let times = Set(wanted.map(\.endedAt)).sorted()
        for entry in try target.requests(at: times) { there[entry, default: 0] += 1 }
        let missing = wanted.filter { entry in
            guard let count = there[entry], count > 0 else { return true }
            there[entry] = count - 1
            return false
        }
        guard !missing.isEmpty else { return 0 }
        try SlotMemory.withRows(of: missing, numberedFrom: number) { (rows) throws(StoreError) in
            try target.add(rows)
        }
        return missing.count
    }

    // MARK: Keys

    /// Copies the managed keys.
    ///
    /// - Returns: nil if the source has none.
    package func copyKeys(progress: (Counts) -> Void = { _ in }) throws(StoreError) -> Counts? {
        guard source.has("keys.db") else { return nil }
        let (from, to) = (source.keys, target.keys)
        var (counts, name) = (Counts(), "")
        while true {
            let keys = try from.list(after: name, limit: portion)
            guard let last = keys.last?.name else { break }
            counts.read += keys.count
            let outcome = try to.addAll(keys)
            counts.added += outcome.added
            counts.different += outcome.different
            progress(counts)
            name = last
        }
        let revoked = try from.revokedKeys()
        if !revoked.isEmpty { counts.revoked = try to.addRevoked(revoked) }
        return counts
    }
}

extension StateCopy.Place {
    /// Whether the place has a file of that name; always true for a server.
    func has(_ name: String) -> Bool {
        switch self {
        case .folder(let path): FileIdentity(of: "\(path)/\(name)") != nil
        case .server: true
        }
    }

    fileprivate func archive() throws(StoreError) -> any LedgerArchive {
        switch self {
        case .folder(let path): try SQLiteArchive(path + "/usage.db")
        case .server(let server): PostgreSQLArchive(server)
        }
    }

    fileprivate var keys: any KeyDatabase {
        switch self {
        case .folder(let path): KeyFile(path + "/keys.db", prepare: {})
        case .server(let server): PostgreSQLKeys(server)
        }
    }
}
