internal import HeadgateDialects

/// Line of the ledger: one request and what it used. Contains names and counts, no content and no secret.
package struct LedgerEntry: Sendable, Hashable {
    /// Source of the token counts.
    package enum Source: String, Sendable, CaseIterable {
        /// The upstream has counted all tokens.
        case upstream
        /// The upstream has counted the tokens of a response that broke off: there might have been more.
        case partial
        /// The upstream has not counted all tokens: see ``UsageEstimate``.
        case estimated
    }

    /// Value of ``outcome`` for a request whose gateway was killed.
    package static let unfinished = "unfinished"

    package var requestID = ""
    /// Milliseconds since 1970.
    package var startedAt: Int64 = 0
    package var endedAt: Int64 = 0
    /// Name of the client key.
    package var key: String?
    package var operation = ""
    /// Public name of the model.
    package var model = ""
    package var upstream: String?
    /// Upstream's name for the model; nil for the public name.
    package var upstreamModel: String?
    package var status = 0
    /// End of the request, in the words of the log.
    package var outcome = LedgerEntry.unfinished
    package var attempts = 0
    package var promptTokens: Int?
    package var completionTokens: Int?
    package var cachedTokens: Int?
    package var source: Source?
    /// Picodollars; nil if the cost is not known.
    package var cost: Int?
    package var isStream = false

    @inlinable package init() {}

    /// Latest time in milliseconds since 1970 whose nanoseconds fit in 64 bits.
    package static let latestTime = Int64.max / 1_000_000
    package static let largestCount = TokenUsage.largestCount
    package static let largestCost = 1 << 62

    /// Copy whose numbers are limited to a range that can be summed and reported. An upstream can report any number,
    /// and so can the file of a killed gateway.
    package var inRange: LedgerEntry {
        var entry = self
        func count(_ number: Int?) -> Int? { number.map { min(max($0, 0), LedgerEntry.largestCount) } }
        entry.startedAt = min(max(startedAt, 0), LedgerEntry.latestTime)
        entry.endedAt = min(max(endedAt, 0), LedgerEntry.latestTime)
        entry.promptTokens = count(promptTokens)
        entry.completionTokens = count(completionTokens)
        entry.cachedTokens = count(cachedTokens)
        entry.attempts = max(attempts, 0)
        entry.cost = cost.map { min(max($0, 0), LedgerEntry.largestCost) }
        return entry
    }
}

/// Place of a request in a ledger, from its beginning to its end.
package struct LedgerPlace: Sendable, Equatable {
    package let index: Int

    package init(_ index: Int) { self.index = index }
}

/// Stores the usage of each request. Every implementation passes `UsageLedgerContract`.
///
/// The loops record the start and the end of a request without waiting. Both entries name the same caller and model,
/// except that the model is empty at the end if the request was not sent to it.
package protocol UsageLedger: Sendable {
    /// Records the start of a request.
    ///
    /// - Returns: its place; nil if none is left. ``LedgerHealth/dropped`` counts such requests.
    func begin(_ entry: borrowing LedgerEntry) -> LedgerPlace?

    /// Records a complete response that is about to be sent, so that its usage survives the end of the process. Can be
    /// called more than once.
    func prepare(_ entry: borrowing LedgerEntry, at place: LedgerPlace)

    /// Records the end of a request. Nothing is recorded at its place afterwards.
    func finish(_ entry: borrowing LedgerEntry, at place: LedgerPlace)

    /// Records the end of a request that ended as it was prepared.
    ///
    /// - Parameter time: in milliseconds since 1970.
    /// - Returns: false if the request was not prepared; nothing is recorded in that case.
    func finish(at place: LedgerPlace, endedAt time: Int64) -> Bool

    /// Queries the ledger. Requests that ended a moment ago can be missing.
    ///
    /// - Parameters:
    ///   - interest: the interest of the caller; once it is over, the ledger stops the query with any result.
    ///   - completion: called once, on a thread of the ledger or before this method returns. Rows are sorted by name.
    ///     If there are more than ``UsageQuestion/mostRows``, those with the most requests are returned.
    func ask(
        _ question: UsageQuestion, for interest: StoreInterest,
        completion: @escaping @Sendable (Result<[UsageRow], UsageFailure>) -> Void)

    var health: LedgerHealth { get }

    /// Milliseconds since 1970: requests that ended earlier are forgotten.
    var knownSince: Int64 { get }

    /// Returns the current time in milliseconds since 1970.
    func now() -> Int64
}

/// Reason why a query of a ledger fails.
package enum UsageFailure: Error, Sendable {
    /// Other callers, or the same key, are already querying.
    case busy
    /// The query takes too long.
    case slow
    case unreadable
}

package struct LedgerHealth: Sendable, Equatable {
    /// Requests that have ended and are not written yet.
    package var pending: Int
    /// Requests that are not in the ledger because there was no room.
    package var dropped: Int
    package var isWorking: Bool

    package init(pending: Int = 0, dropped: Int = 0, isWorking: Bool = true) {
        self.pending = pending
        self.dropped = dropped
        self.isWorking = isWorking
    }
}
