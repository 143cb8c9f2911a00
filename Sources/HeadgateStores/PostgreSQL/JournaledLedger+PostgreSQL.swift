internal import HeadgateRelay

extension JournaledLedger {
    /// Creates a ledger in PostgreSQL, which need not be available yet. It also writes the journals that killed
    /// gateways left in the folder.
    ///
    /// - Parameters:
    ///   - folder: the folder of the journals; nil for a journal that ends with the process.
    ///   - kept: milliseconds for which a request is stored.
    ///   - now: returns milliseconds since 1970.
    ///   - awaitsLocks: whether to retry locked journals at the start; false if their gateways are known to run.
    ///   - report: called once when the ledger cannot be written, with the reason, and once when it works again.
    /// - Throws: ``StoreError`` if no journal can be created, or `ThreadShortage`.
    package convenience init(
        on server: PostgreSQLServer, folder: String?, kept: Int64, now: @escaping @Sendable () -> Int64,
        awaitsLocks: Bool = true, report: @escaping @Sendable (String) -> Void
    ) throws {
        try self.init(
            on: server, folder: folder, kept: kept, slots: Journal.standardSlots, now: now, awaitsLocks: awaitsLocks,
            report: report)
    }

    /// - Parameter interval: the interval at which expired requests are removed.
    convenience init(
        on server: PostgreSQLServer, folder: String?, kept: Int64, slots: Int,
        forgetting interval: Duration = .seconds(60), longestQuestion: Duration = .seconds(5),
        now: @escaping @Sendable () -> Int64, awaitsLocks: Bool = true,
        report: @escaping @Sendable (String) -> Void
    ) throws {
        // Journals of another database belong to other gateways.
        let journals = folder.map { LedgerFiles(beside: "\($0)/postgresql-\(server.fingerprint)") } ?? .none
        let journal =
            if folder == nil { try Journal(slots: slots) } else { try Journal(prefix: journals.prefix, slots: slots) }
        let reader = try PostgreSQLLedgerReader(server, longest: longestQuestion, report: report)
        try self.init(
            journal, PostgreSQLLedgerDatabase(server), reader, journals: journals, kept: kept, forgetting: interval,
            now: now, awaitsLocks: awaitsLocks, report: report)
    }
}

extension PostgreSQLServer {
    /// FNV-1a hash of the server's name, which is equal for all gateways that use the same database.
    fileprivate var fingerprint: String {
        String(
            name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }, radix: 16)
    }
}
