internal import HeadgateGateway
internal import HeadgateRelay

/// Database of a ledger's collecting thread. Used only by that thread.
protocol LedgerDatabase: AnyObject {
    /// For reports.
    var name: String { get }

    /// Writes requests of a journal in one transaction, but for those that were written already.
    ///
    /// - Parameters:
    ///   - process: whose journal it is.
    ///   - batch: the number of this one, above those before.
    ///   - note: called with each request that is about to be written.
    func write(
        _ entries: [JournalEntry], of process: Int64, batch: Int64, note: (JournalEntry) -> Void
    ) throws(StoreError)

    /// The latest end of a request, in milliseconds since 1970; 0 if there is none.
    func latestEnd() throws(StoreError) -> Int64

    /// Removes some of the requests that ended before.
    ///
    /// - Parameter end: milliseconds since 1970.
    /// - Returns: whether there may be more.
    func forget(before end: Int64) throws(StoreError) -> Bool

    /// Removes the records of gateways without a journal.
    ///
    /// - Parameter isThere: returns whether a gateway has one.
    func forgetJournals(unless isThere: (_ process: Int64) -> Bool) throws(StoreError)
}

/// Queries of a ledger.
protocol LedgerQuestions: Sendable {
    func ask(
        _ question: UsageQuestion, for interest: StoreInterest,
        completion: @escaping @Sendable (Result<[UsageRow], UsageFailure>) -> Void)

    /// Answers what waits, and ends, without being waited for.
    func end()

    /// Ends it and waits for the end. Must not be called on a loop.
    func close()
}
