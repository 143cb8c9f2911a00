import HeadgateEventLoop

@testable import HeadgateGateway

/// A ledger that a test reads. Its clock stands an hour and a second after 1970.
final class NotedLedger: UsageLedger {
    private struct State: Sendable {
        var steps: [String] = []
        var prepared: [LedgerEntry] = []
        var finished: [LedgerEntry] = []
        var question: UsageQuestion?
        var answer: [UsageRow] = []
        var count = 0
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
        }
    }

    func finish(_ entry: borrowing LedgerEntry, at place: LedgerPlace) {
        let entry = copy entry
        state.withLock { state in
            state.steps.append("finish \(place.index)")
            state.finished.append(entry)
        }
    }

    func ask(
        _ question: UsageQuestion, completion: @escaping @Sendable (Result<[UsageRow], ResponseStoreFailure>) -> Void
    ) {
        state.withLock { $0.question = question }
        completion(.success(answer))
    }

    var health: LedgerHealth { LedgerHealth() }
    func now() -> Int64 { 3_601_000 }
}
