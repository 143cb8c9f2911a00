internal import HeadgateGateway
internal import HeadgateRelay

/// Database of a ledger. Used only by the ledger's collecting thread.
protocol LedgerDatabase: AnyObject {
    /// Name of the database in reports.
    var name: String { get }

    /// Writes requests of a journal in one transaction, except those that were written already.
    ///
    /// - Parameters:
    ///   - process: the number of the journal's gateway.
    ///   - batch: the number of this batch, above all earlier ones of the journal.
    ///   - note: called with each request that is about to be written.
    func write(
        _ entries: [JournalEntry], of process: Int64, batch: Int64, note: (JournalEntry) -> Void
    ) throws(StoreError)

    /// Returns the latest end of a request, in milliseconds since 1970; 0 if there is none.
    func latestEnd() throws(StoreError) -> Int64

    /// Removes some of the requests that ended before a time.
    ///
    /// - Parameter end: milliseconds since 1970.
    /// - Returns: whether there can be more.
    func forget(before end: Int64) throws(StoreError) -> Bool

    /// Removes the records of gateways without a journal.
    ///
    /// - Parameter isThere: returns whether a gateway has a journal.
    func forgetJournals(unless isThere: (_ process: Int64) -> Bool) throws(StoreError)
}

/// Queries of a ledger.
protocol LedgerQuestions: Sendable {
    func ask(
        _ question: UsageQuestion, for interest: StoreInterest,
        completion: @escaping @Sendable (Result<[UsageRow], UsageFailure>) -> Void)

    /// Answers pending queries and ends. Does not wait for the end.
    func end()

    /// Ends the thread and waits for the end. Must not be called on a loop.
    func close()
}
