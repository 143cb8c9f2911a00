internal import Synchronization

/// Query of a ledger.
package struct UsageQuestion: Sendable, Equatable {
    package enum Grouping: String, Sendable, CaseIterable {
        case key
        /// Public name of the model.
        case model
        case upstream
        /// Day in UTC.
        case day
        case minute
    }

    /// Maximum number of rows in a result.
    package static let mostRows = 10_000
    /// Maximum range of a query by minute, in milliseconds.
    package static let longestByMinute: Int64 = 86_400_000

    package var grouping: Grouping
    /// Milliseconds since 1970; requests that ended before are left out.
    package var since: Int64
    /// Milliseconds since 1970; requests that ended from then on are left out.
    package var until: Int64?
    /// End of the range for requests of earlier processes, in queries by the gateway itself. It replaces ``until``,
    /// because the clock can have been set back since.
    package var end: Int64?
    /// Client key whose requests count; nil for all.
    package var key: String?
    /// Whether the gateway itself makes the query. It gets all rows, regardless of the time that takes.
    package var isGateways = false

    package init(by grouping: Grouping, since: Int64, key: String? = nil) {
        self.grouping = grouping
        self.since = since
        self.key = key
    }
}

/// Requests of one group.
package struct UsageRow: Sendable, Equatable {
    /// Name of the group, or the beginning of the day or minute in milliseconds since 1970; empty for requests
    /// without a key or an upstream.
    package var name: String
    package var requests = 0
    /// Number of these requests whose gateway was killed before their end.
    package var unfinished = 0
    /// Number of these requests whose tokens, and so whose cost, are estimated.
    package var estimated = 0
    package var promptTokens = 0
    package var completionTokens = 0
    package var cachedTokens = 0
    /// Picodollars of the requests whose cost is known.
    package var cost = 0
    package var unknownCosts = 0

    package init(_ name: String) { self.name = name }

    /// Adds a request.
    package mutating func add(_ entry: borrowing LedgerEntry) {
        requests += 1
        if entry.outcome == LedgerEntry.unfinished { unfinished += 1 }
        if entry.source == .estimated { estimated += 1 }
        promptTokens = promptTokens.addingCapped(entry.promptTokens)
        completionTokens = completionTokens.addingCapped(entry.completionTokens)
        cachedTokens = cachedTokens.addingCapped(entry.cachedTokens)
        cost = cost.addingCapped(entry.cost)
        if entry.cost == nil { unknownCosts += 1 }
    }
}

extension UsageQuestion.Grouping {
    /// Returns the name of the request's group.
    package func name(of entry: borrowing LedgerEntry) -> String {
        switch self {
        case .key: entry.key ?? ""
        case .model: entry.model
        case .upstream: entry.upstream ?? ""
        case .day: "\(entry.endedAt / 86_400_000 * 86_400_000)"
        case .minute: "\(entry.endedAt / 60_000 * 60_000)"
        }
    }
}

/// Interest of a store's caller in a result. It is over once the caller no longer waits.
package final class StoreInterest: Sendable {
    private let over = Atomic<Bool>(false)

    package init() {}

    package var isOver: Bool { over.load(ordering: .acquiring) }

    package func end() { over.store(true, ordering: .releasing) }
}

extension Int {
    /// Returns the sum, limited to the largest number. A negative number, or nil, counts as zero.
    @inlinable package func addingCapped(_ other: Int?) -> Int {
        let (sum, overflows) = addingReportingOverflow(Swift.max(0, other ?? 0))
        return overflows ? .max : sum
    }
}
