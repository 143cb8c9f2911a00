internal import HeadgateEventLoop
internal import HeadgateGateway
internal import Synchronization

/// Answers questions about a ledger's database, one after the other, on a connection and a thread of its own: whoever
/// asks holds up nobody who writes.
final class LedgerReader: Sendable {
    private let file: String
    /// Nil while the file is not there.
    private let thread: Locked<DatabaseThread?>
    /// How many questions of each key wait, and those of everybody under nil.
    private let waiting = Locked<[String?: Int]>([:])
    private let isReadable = Atomic<Bool>(true)
    private let longest: Duration
    private let report: @Sendable (String) -> Void

    /// Questions of all that wait.
    static let mostQuestions = 8

    /// - Parameters:
    ///   - longest: how long a question may take.
    ///   - report: told, once until it is over, that usage cannot be read.
    /// - Throws: ``StoreError``, or `ThreadShortage`.
    init(_ file: String, longest: Duration, report: @escaping @Sendable (String) -> Void) throws {
        self.file = file
        thread = Locked(try LedgerReader.thread(file))
        self.longest = longest
        self.report = report
    }

    private static func thread(_ file: String) throws -> DatabaseThread {
        let database = try SQLiteDatabase(file, schema: .ledger)
        try database.forbidChanges()
        return try DatabaseThread(database, chore: nil)
    }

    /// Lets go of the file, once the questions that wait are answered. Not from a loop.
    func letGo() {
        guard let old = thread.withLock({ $0.take() }) else { return }
        while !old.isDone { old.close() }
    }

    /// Opens the file that is there now.
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
        guard question.isGateways || takeSeat(question.key) else { return completion(.failure(.busy)) }
        thread.append(isReading: true) { [self] (database) throws(StoreError) in
            let end = ContinuousClock.now.advanced(by: longest)
            let isGivenUp = { interest.isOver || (!question.isGateways && ContinuousClock.now >= end) }
            let rows =
                if interest.isOver {
                    // Nobody reads it.
                    [UsageRow]()
                } else {
                    try database.reading(until: isGivenUp) { () throws(StoreError) in try database.usage(question) }
                }
            return { [self] in
                isReadable.store(true, ordering: .relaxed)
                if !question.isGateways { leaveSeat(question.key) }
                completion(.success(rows))
            }
        } failed: { [self] error in
            if !question.isGateways { leaveSeat(question.key) }
            if !interest.isOver, isReadable.exchange(false, ordering: .relaxed) {
                report("\(error); what requests have used cannot be read")
            }
            completion(.failure(.unreadable))
        }
    }

    /// One for each key; who may ask about all has any of them.
    private func takeSeat(_ key: String?) -> Bool {
        waiting.withLock { waiting in
            guard waiting.values.reduce(0, +) < LedgerReader.mostQuestions, key == nil || waiting[key] == nil else {
                return false
            }
            waiting[key, default: 0] += 1
            return true
        }
    }

    private func leaveSeat(_ key: String?) {
        waiting.withLock { waiting in
            let left = (waiting[key] ?? 1) - 1
            waiting[key] = left == 0 ? nil : left
        }
    }

    /// Answers what waits, and lets go of the file, without being waited for.
    func end() { thread.withLock(\.self)?.end() }

    /// The same, waited for. Not from a loop.
    func close() { thread.withLock(\.self)?.close() }
}
