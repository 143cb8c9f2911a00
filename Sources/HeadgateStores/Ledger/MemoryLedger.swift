internal import HeadgateEventLoop
internal import HeadgateGateway
internal import HeadgatePrimitives
package import HeadgateRelay
internal import Synchronization

/// Ledger in memory, which is lost when the process ends. It holds the latest requests.
package final class MemoryLedger: UsageLedger {
    private struct State: Sendable {
        var entries: [LedgerEntry] = []
        /// Index of the oldest request, once the maximum is reached.
        var next = 0
        /// Requests that can end with the result that was prepared.
        var prepared: [Int: LedgerEntry] = [:]
    }

    private let state = Locked(State())
    private let places = Atomic<Int>(0)
    private let largest: Int
    private let kept: Int64
    private let clock: @Sendable () -> Int64

    /// - Parameters:
    ///   - largest: the maximum number of requests.
    ///   - kept: milliseconds for which a request is stored.
    ///   - now: returns milliseconds since 1970.
    package init(largest: Int = 20_000, kept: Int64, now: @escaping @Sendable () -> Int64) {
        self.largest = largest
        self.kept = kept
        clock = now
    }

    package func begin(_: borrowing LedgerEntry) -> LedgerPlace? {
        LedgerPlace(places.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    package func prepare(_ entry: borrowing LedgerEntry, at place: LedgerPlace) {
        let entry = copy entry
        state.withLock { $0.prepared[place.index] = entry }
    }

    package func finish(_ entry: borrowing LedgerEntry, at place: LedgerPlace) {
        let entry = entry.inRange
        state.withLock { state in
            state.prepared[place.index] = nil
            add(entry, to: &state)
        }
    }

    package func finish(at place: LedgerPlace, endedAt time: Int64) -> Bool {
        state.withLock { state in
            guard var entry = state.prepared.removeValue(forKey: place.index) else { return false }
            entry.endedAt = time
            add(entry.inRange, to: &state)
            return true
        }
    }

    private func add(_ entry: LedgerEntry, to state: inout State) {
        if state.entries.count < largest {
            state.entries.append(entry)
        } else {
            state.entries[state.next] = entry
            state.next = (state.next + 1) % largest
        }
    }

    package func ask(
        _ question: UsageQuestion, for _: StoreInterest,
        completion: @escaping @Sendable (Result<[UsageRow], UsageFailure>) -> Void
    ) {
        let entries = state.withLock(\.entries)
        let since = max(question.since, knownSince)
        var rows: [String: UsageRow] = [:]
        let until = question.until ?? .max
        for entry in entries
        where (since..<max(since, until)).contains(entry.endedAt)
            && (question.key == nil || entry.key == question.key)
        {
            let name = question.grouping.name(of: entry)
            rows[name, default: UsageRow(name)].add(entry)
        }
        var answer = Array(rows.values)
        if !question.isGateways, answer.count > UsageQuestion.mostRows {
            answer.sort { ($1.requests, $0.name) < ($0.requests, $1.name) }
            answer.removeLast(answer.count - UsageQuestion.mostRows)
        }
        completion(.success(answer.sorted { $0.name < $1.name }))
    }

    package var health: LedgerHealth { LedgerHealth() }

    package var knownSince: Int64 {
        // Once the ledger is full, older requests are unknown.
        let oldest = state.withLock { $0.entries.count < largest ? .min : $0.entries[$0.next].endedAt }
        return max(now() - kept, oldest)
    }

    package func now() -> Int64 { clock() }
}
