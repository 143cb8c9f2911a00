internal import Glibc
internal import HeadgateEventLoop
internal import HeadgateGateway

/// Answers questions about a ledger in PostgreSQL, one after the other, on a connection and a thread of its own:
/// whoever asks holds up nobody who writes.
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
    private let finished = Latch()

    /// Milliseconds of a question of the gateway's own, which wants all rows.
    private static let longestOfGateways = Duration.seconds(600)

    /// - Parameters:
    ///   - longest: how long a question may take.
    ///   - report: told, once until it is over, that usage cannot be read.
    init(
        _ server: PostgreSQLServer, longest: Duration, report: @escaping @Sendable (String) -> Void
    ) throws(ThreadShortage) {
        self.server = server
        self.longest = longest
        self.report = report
        pthread_detach(try startThread(running: runPostgreSQLLedgerReader, with: self))
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
        _ = finished.wait(atMost: .seconds(5))
    }

    // MARK: On the thread

    fileprivate func run() {
        let link = PostgreSQLLink(to: server)
        var isReadable = true
        while true {
            let (asked, isClosed) = state.withLock { state in
                (state.queue.isEmpty ? nil : state.queue.removeFirst(), state.isClosed)
            }
            if let asked {
                answer(asked, link, &isReadable)
            } else if isClosed {
                break
            } else {
                wakeUp.wait()
            }
        }
        finished.open()
    }

    private func answer(_ asked: Asked, _ link: PostgreSQLLink, _ isReadable: inout Bool) {
        let (question, interest) = (asked.question, asked.interest)
        let result: Result<[UsageRow], UsageFailure>
        do throws(StoreError) {
            let limit = question.isGateways ? PostgreSQLLedgerReader.longestOfGateways : longest
            let rows =
                if interest.isOver {
                    // Nobody reads it.
                    [UsageRow]()
                } else {
                    try link.retrying { (connection) throws(StoreError) in
                        try connection.usage(question, within: limit) { interest.isOver }
                    }
                }
            isReadable = true
            result = .success(rows)
        } catch {
            if !interest.isOver, isReadable {
                isReadable = false
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
