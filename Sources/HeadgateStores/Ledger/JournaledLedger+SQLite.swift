internal import HeadgateGateway

extension JournaledLedger {
    /// Opens the file, or makes it, and writes what gateways that were killed have left beside it.
    ///
    /// - Parameters:
    ///   - kept: milliseconds that a request is kept for.
    ///   - now: milliseconds since 1970.
    ///   - report: told, once until it is over, what keeps the ledger from being written, and that it is over.
    /// - Throws: ``StoreError``, or `ThreadShortage`.
    package convenience init(
        file: String, kept: Int64, now: @escaping @Sendable () -> Int64, report: @escaping @Sendable (String) -> Void
    ) throws {
        try self.init(file: file, kept: kept, slots: Journal.standardSlots, now: now, report: report)
    }

    /// - Parameter interval: in which those kept for long enough are removed.
    convenience init(
        file: String, kept: Int64, slots: Int, forgetting interval: Duration = .seconds(60),
        longestQuestion: Duration = .seconds(5), now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (String) -> Void
    ) throws {
        let database = try SQLiteDatabase(file, schema: .ledger)
        let journals = LedgerFiles(beside: file)
        let journal = try Journal(prefix: journals.prefix, slots: slots)
        let reader = try LedgerReader(file, longest: longestQuestion, report: report)
        let path = journal.path
        let writable = LedgerFile(database, reader) {
            let isJournalGone = FileIdentity(of: path) == nil
            report(
                "\(file): it is not there any more, or another file is; from now on usage goes into a new one, or that"
                    + (isJournalGone ? ". What is under way is lost if the gateway is killed: start it again" : ""))
        }
        try self.init(
            journal, writable, reader, journals: journals, kept: kept, forgetting: interval, now: now, report: report)
    }
}
