internal import HeadgateRelay

extension JournaledLedger {
    /// Opens the file, or creates it, and writes the journals that killed gateways left beside it.
    ///
    /// - Parameters:
    ///   - kept: milliseconds for which a request is stored.
    ///   - now: returns milliseconds since 1970.
    ///   - awaitsLocks: whether to retry locked journals at the start; false if their gateways are known to run.
    ///   - report: called once when the ledger cannot be written, with the reason, and once when it works again.
    /// - Throws: ``StoreError``, or `ThreadShortage`.
    package convenience init(
        file: String, kept: Int64, now: @escaping @Sendable () -> Int64, awaitsLocks: Bool = true,
        report: @escaping @Sendable (String) -> Void
    ) throws {
        try self.init(
            file: file, kept: kept, slots: Journal.standardSlots, now: now, awaitsLocks: awaitsLocks, report: report)
    }

    /// Whether a running gateway writes to the file.
    package static func isInUse(_ file: String) -> Bool {
        LedgerFiles(beside: file).journals.contains(where: Journal.isLocked)
    }

    /// - Parameter interval: the interval at which expired requests are removed.
    convenience init(
        file: String, kept: Int64, slots: Int, forgetting interval: Duration = .seconds(60),
        longestQuestion: Duration = .seconds(5), now: @escaping @Sendable () -> Int64, awaitsLocks: Bool = true,
        report: @escaping @Sendable (String) -> Void
    ) throws {
        // Moving the requests of an older version takes seconds per million, so the collecting thread does it.
        let isOutdated = try SQLiteSchema.ledger.isOutdated(file)
        let database = isOutdated ? nil : try SQLiteDatabase(file, schema: .ledger)
        if isOutdated {
            report(
                "\(file): an older version has written it, and its requests are moved into new tables; until that "
                    + "is done usage waits beside it and cannot be asked for")
        }
        let journals = LedgerFiles(beside: file)
        let journal = try Journal(prefix: journals.prefix, slots: slots)
        let reader = try LedgerReader(file, isThere: !isOutdated, longest: longestQuestion, report: report)
        let path = journal.path
        let isMoved = isOutdated ? { report("\(file): its requests are in the new tables") } : nil
        let writable = LedgerFile(file, database, reader, isOpened: isMoved) {
            let isJournalGone = FileIdentity(of: path) == nil
            report(
                "\(file): it is not there any more, or another file is; from now on usage goes into a new one, or that"
                    + (isJournalGone ? ". What is under way is lost if the gateway is killed: start it again" : ""))
        }
        try self.init(
            journal, writable, reader, journals: journals, kept: kept, forgetting: interval, now: now,
            awaitsLocks: awaitsLocks, report: report)
    }
}
