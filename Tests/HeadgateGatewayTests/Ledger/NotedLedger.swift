import HeadgateEventLoop
import HeadgatePrimitives

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A ledger in memory that a test reads. Its clock is fixed at an hour and a second after the start of 1970.
final class NotedLedger: UsageLedger {
    private struct State: Sendable {
        var steps: [String] = []
        var prepared: [LedgerEntry] = []
        /// Last prepared entry at each place.
        var places: [Int: LedgerEntry] = [:]
        var finished: [LedgerEntry] = []
        var question: UsageQuestion?
        var answer: [UsageRow] = []
        var count = 0
        var failure: UsageFailure?
        var knownSince = Int64.min
        var isWorking = true
    }

    private let state = Locked(State())

    var steps: [String] { state.withLock(\.steps) }
    var prepared: [LedgerEntry] { state.withLock(\.prepared) }
    var finished: [LedgerEntry] { state.withLock(\.finished) }
    var question: UsageQuestion? { state.withLock(\.question) }
    var answer: [UsageRow] {
        get { state.withLock(\.answer) }
        set { state.withLock { $0.answer = newValue } }
    }

    /// Failure of every query.
    var failure: UsageFailure? {
        get { state.withLock(\.failure) }
        set { state.withLock { $0.failure = newValue } }
    }

    var knownSince: Int64 {
        get { state.withLock(\.knownSince) }
        set { state.withLock { $0.knownSince = newValue } }
    }

    /// Whether entries can be written.
    var isWorking: Bool {
        get { state.withLock(\.isWorking) }
        set { state.withLock { $0.isWorking = newValue } }
    }

    func begin(_: borrowing LedgerEntry) -> LedgerPlace? {
        state.withLock { state in
            state.count += 1
            state.steps.append("begin \(state.count)")
            return LedgerPlace(state.count)
        }
    }

    func prepare(_ entry: borrowing LedgerEntry, at place: LedgerPlace) {
        let entry = copy entry
        state.withLock { state in
            state.steps.append("prepare \(place.index)")
            state.prepared.append(entry)
            state.places[place.index] = entry
        }
    }

    func finish(_ entry: borrowing LedgerEntry, at place: LedgerPlace) {
        let entry = copy entry
        state.withLock { state in
            state.steps.append("finish \(place.index)")
            state.finished.append(entry)
        }
    }

    func finish(at place: LedgerPlace, endedAt time: Int64) -> Bool {
        state.withLock { state in
            guard var entry = state.places[place.index] else { return false }
            state.steps.append("finish \(place.index)")
            entry.endedAt = time
            state.finished.append(entry)
            return true
        }
    }

    func ask(
        _ question: UsageQuestion, for _: StoreInterest,
        completion: @escaping @Sendable (Result<[UsageRow], UsageFailure>) -> Void
    ) {
        let failure = state.withLock { state in
            state.question = question
            return state.failure
        }
        completion(failure.map { .failure($0) } ?? .success(answer))
    }

    var health: LedgerHealth { LedgerHealth(isWorking: isWorking) }
    func now() -> Int64 { 3_601_000 }
}
