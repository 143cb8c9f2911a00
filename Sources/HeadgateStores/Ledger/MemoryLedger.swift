internal import HeadgateEventLoop
package import HeadgateGateway

/// A ledger that ends with the process, for where there is no place for a file. It holds the latest requests.
package final class MemoryLedger: UsageLedger {
    private struct State: Sendable {
        var entries: [LedgerEntry] = []
        /// Of the oldest, once it is full.
        var next = 0
    }

    private let state = Locked(State())
    private let largest: Int
    private let kept: Int64
    private let clock: @Sendable () -> Int64

    /// - Parameters:
    ///   - largest: how many requests it holds.
    ///   - kept: milliseconds that a request is kept for.
    ///   - now: milliseconds since 1970.
    package init(largest: Int = 20_000, kept: Int64, now: @escaping @Sendable () -> Int64) {
        self.largest = largest
        self.kept = kept
        clock = now
    }

    package func begin(_: borrowing LedgerEntry) -> LedgerPlace? { LedgerPlace(0) }

    package func prepare(_: borrowing LedgerEntry, at _: LedgerPlace) {}

    package func finish(_ entry: borrowing LedgerEntry, at _: LedgerPlace) {
        let entry = entry.inRange
        state.withLock { state in
            if state.entries.count < largest {
                state.entries.append(entry)
            } else {
                state.entries[state.next] = entry
                state.next = (state.next + 1) % largest
            }
        }
    }

    package func ask(
        _ question: UsageQuestion, for _: StoreInterest,
        completion: @escaping @Sendable (Result<[UsageRow], UsageFailure>) -> Void
    ) {
        let entries = state.withLock(\.entries)
        let since = max(question.since, now() - kept)
        var rows: [String: UsageRow] = [:]
        for entry in entries where entry.endedAt >= since && (question.key == nil || entry.key == question.key) {
            let name = question.grouping.name(of: entry)
            rows[name, default: UsageRow(name)].add(entry)
        }
        var answer = Array(rows.values)
        if answer.count > UsageQuestion.mostRows {
            answer.sort { ($1.requests, $0.name) < ($0.requests, $1.name) }
            answer.removeLast(answer.count - UsageQuestion.mostRows)
        }
        completion(.success(answer.sorted { $0.name < $1.name }))
    }

    package var health: LedgerHealth { LedgerHealth() }

    package func now() -> Int64 { clock() }
}
