internal import HeadgateRelay

extension JournaledLedger {
    /// A ledger in PostgreSQL, which need not be there yet. It writes what gateways that were killed have left in the
    /// same folder.
    ///
    /// - Parameters:
    ///   - folder: of the journals; nil for one that ends with the process.
    ///   - kept: milliseconds that a request is kept for.
    ///   - now: milliseconds since 1970.
    ///   - report: told, once until it is over, what keeps the ledger from being written, and that it is over.
    /// - Throws: ``StoreError`` where there can be no journal, or `ThreadShortage`.
    package convenience init(
        on server: PostgreSQLServer, folder: String?, kept: Int64, now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (String) -> Void
    ) throws {
        try self.init(
            on: server, folder: folder, kept: kept, slots: Journal.standardSlots, now: now, report: report)
    }

    /// - Parameter interval: in which those kept for long enough are removed.
    convenience init(
        on server: PostgreSQLServer, folder: String?, kept: Int64, slots: Int,
        forgetting interval: Duration = .seconds(60), longestQuestion: Duration = .seconds(5),
        now: @escaping @Sendable () -> Int64, report: @escaping @Sendable (String) -> Void
    ) throws {
        // Those of another database are another's.
        let journals = folder.map { LedgerFiles(beside: "\($0)/postgresql-\(server.fingerprint)") } ?? .none
        let journal =
            if folder == nil { try Journal(slots: slots) } else { try Journal(prefix: journals.prefix, slots: slots) }
        let reader = try PostgreSQLLedgerReader(server, longest: longestQuestion, report: report)
        try self.init(
            journal, PostgreSQLLedgerDatabase(server), reader, journals: journals, kept: kept, forgetting: interval,
            now: now, report: report)
    }
}

extension PostgreSQLServer {
    /// The same for the same place, whoever asks there: FNV-1a of its name.
    fileprivate var fingerprint: String {
        String(
            name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }, radix: 16)
    }
}
