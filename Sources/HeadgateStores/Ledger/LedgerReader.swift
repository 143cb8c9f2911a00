internal import HeadgateEventLoop
internal import HeadgateGateway
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import Synchronization

/// Answers queries about a ledger's database, one after the other. It has its own connection and thread, so that
/// queries do not delay writes.
final class LedgerReader: LedgerQuestions {
    private let file: String
    /// Thread of the open file; nil while there is none.
    private let thread: Locked<DatabaseThread?>
    private let seats = QuestionSeats()
    private let isReadable = Atomic<Bool>(true)
    private let isFast = Atomic<Bool>(true)
    private let longest: Duration
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - isThere: whether the file can be read already; otherwise ``openAgain()`` is called later.
    ///   - longest: maximum time of a query.
    ///   - report: called if usage cannot be read, or takes too long, once until that is over.
    /// - Throws: ``StoreError``, or `ThreadShortage`.
    init(
        _ file: String, isThere: Bool = true, longest: Duration, report: @escaping @Sendable (String) -> Void
    ) throws {
        self.file = file
        thread = Locked(isThere ? try LedgerReader.thread(file) : nil)
        self.longest = longest
        self.report = report
    }

    private static func thread(_ file: String) throws -> DatabaseThread {
        let database = try SQLiteDatabase(file, schema: .ledger)
        try database.forbidChanges()
        return try DatabaseThread(database, chore: nil)
    }

    /// Answers pending queries and closes the file. Must not be called on a loop.
    func closeFile() {
        guard let old = thread.withLock({ $0.take() }) else { return }
        while !old.isDone { old.close() }
    }

    /// Opens the current file.
    ///
    /// - Throws: ``StoreError``, or `ThreadShortage`.
    func openAgain() throws {
        let new = try LedgerReader.thread(file)
        thread.withLock { $0 = new }
    }

    func ask(
        _ question: UsageQuestion, for interest: StoreInterest,
        completion: @escaping @Sendable (Result<[UsageRow], UsageFailure>) -> Void
    ) {
        guard let thread = thread.withLock(\.self) else { return completion(.failure(.unreadable)) }
        guard seats.take(for: question) else { return completion(.failure(.busy)) }
        thread.append(isReading: true) { [self] (database) throws(StoreError) in
            let end = ContinuousClock.now.advanced(by: longest)
            let isGivenUp = { interest.isOver || (!question.isGateways && ContinuousClock.now >= end) }
            let rows =
                if interest.isOver {
                    // The result is not used.
                    [UsageRow]()
                } else {
                    try database.reading(until: isGivenUp) { () throws(StoreError) in try database.usage(question) }
                }
            return { [self] in
                isReadable.store(true, ordering: .relaxed)
                isFast.store(true, ordering: .relaxed)
                seats.leave(question)
                completion(.success(rows))
            }
        } failed: { [self] error in
            seats.leave(question)
            if error.cause == .cancelled {
                if !interest.isOver, isFast.exchange(false, ordering: .relaxed) {
                    report(SlowQuestion.text(file, longest))
                }
                return completion(.failure(.slow))
            }
            if !interest.isOver, isReadable.exchange(false, ordering: .relaxed) {
                report("\(error); what requests have used cannot be read")
            }
            completion(.failure(.unreadable))
        }
    }

    /// Answers pending queries and closes the file. Does not wait for the end.
    func end() { thread.withLock(\.self)?.end() }

    /// Ends the thread and waits for the end. Must not be called on a loop.
    func close() { thread.withLock(\.self)?.close() }
}
