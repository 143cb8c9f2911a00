internal import HeadgateEventLoop
internal import HeadgateGateway
internal import HeadgateLibC
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Answers queries about a ledger in PostgreSQL, one after the other. It has its own connection and thread, so that
/// queries do not delay writes.
final class PostgreSQLLedgerReader: LedgerQuestions {
    private typealias Answer = @Sendable (Result<[UsageRow], UsageFailure>) -> Void

    private struct Asked: Sendable {
        let question: UsageQuestion
        let interest: StoreInterest
        let answer: Answer
    }

    private struct State: Sendable {
        var queue: [Asked] = []
        var isClosed = false
    }

    private let server: PostgreSQLServer
    private let longest: Duration
    private let report: @Sendable (String) -> Void
    private let seats = QuestionSeats()
    private let state = Locked(State())
    private let wakeUp = Signal()
    private let thread = EndingThread()

    /// Maximum time of the gateway's own queries, which read all rows.
    private static let longestOfGateways = Duration.seconds(600)

    /// Additional time for the server to report that it has cancelled a query.
    private static let grace = Duration.seconds(1)

    /// - Parameters:
    ///   - longest: maximum time of a query.
    ///   - report: called if usage cannot be read, or takes too long, once until that is over.
    init(
        _ server: PostgreSQLServer, longest: Duration, report: @escaping @Sendable (String) -> Void
    ) throws(ThreadShortage) {
        self.server = server
        self.longest = longest
        self.report = report
        try thread.start(running: runPostgreSQLLedgerReader, with: self)
    }

    func ask(
        _ question: UsageQuestion, for interest: StoreInterest,
        completion: @escaping @Sendable (Result<[UsageRow], UsageFailure>) -> Void
    ) {
        guard seats.take(for: question) else { return completion(.failure(.busy)) }
        let isTaken = state.withLock { state in
            if state.isClosed { return false }
            state.queue.append(Asked(question: question, interest: interest, answer: completion))
            return true
        }
        guard isTaken else {
            seats.leave(question)
            return completion(.failure(.unreadable))
        }
        wakeUp.raise()
    }

    func end() {
        state.withLock { $0.isClosed = true }
        wakeUp.raise()
    }

    func close() {
        end()
        thread.wait(atMost: .seconds(5))
    }

    // MARK: On the thread

    fileprivate func run() {
        let link = PostgreSQLLink(to: server)
        var faults = Faults()
        while true {
            let (asked, isClosed) = state.withLock { state in
                (state.queue.isEmpty ? nil : state.queue.removeFirst(), state.isClosed)
            }
            if let asked {
                answer(asked, link, &faults)
            } else if isClosed {
                break
            } else {
                wakeUp.wait()
            }
        }
        thread.finish()
    }

    /// Faults that are yet to be reported.
    private struct Faults {
        var isReadable = true
        var isFast = true
    }

    private func answer(_ asked: Asked, _ link: PostgreSQLLink, _ faults: inout Faults) {
        let (question, interest) = (asked.question, asked.interest)
        let result: Result<[UsageRow], UsageFailure>
        do throws(StoreError) {
            let limit = question.isGateways ? PostgreSQLLedgerReader.longestOfGateways : longest
            let rows =
                if interest.isOver {
                    // The result is not used.
                    [UsageRow]()
                } else {
                    try link.retrying { (connection) throws(StoreError) in
                        try connection.limitStatements(to: limit)
                        // The server cancels a query at the limit. The grace period is for a server that does not
                        // respond at all.
                        return try connection.usage(question, within: limit + PostgreSQLLedgerReader.grace) {
                            interest.isOver
                        }
                    }
                }
            faults = Faults()
            result = .success(rows)
        } catch  where error.cause == .cancelled {
            if !interest.isOver, faults.isFast {
                faults.isFast = false
                report(SlowQuestion.text(server.name, longest))
            }
            result = .failure(.slow)
        } catch {
            if !interest.isOver, faults.isReadable {
                faults.isReadable = false
                report("\(error); what requests have used cannot be read")
            }
            result = .failure(.unreadable)
        }
        seats.leave(question)
        asked.answer(result)
    }
}

private func runPostgreSQLLedgerReader(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<PostgreSQLLedgerReader>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
