internal import HeadgateDialects

/// Line of the ledger: one request and what it used. Contains names and counts, no content and no secret.
package struct LedgerEntry: Sendable, Hashable {
    /// Source of the token counts.
    package enum Source: String, Sendable, CaseIterable {
        /// The upstream has counted all tokens.
        case upstream
        /// The upstream's count of a response that did not come to its end: there might have been more.
        case partial
        /// The upstream has not counted all tokens: see ``UsageEstimate``.
        case estimated
    }

    /// Value of ``outcome`` for a request whose gateway was killed.
    package static let unfinished = "unfinished"

    package var requestID: String
    /// Milliseconds since 1970.
    package var startedAt: Int64
    package var endedAt: Int64 = 0
    /// Name of the client key.
    package var key: String?
    package var operation: String
    /// Model as the client knows it.
    package var model: String
    package var upstream: String?
    /// Upstream's name for the model; nil for the public name.
    package var upstreamModel: String?
    package var status = 0
    /// End of the request, in the words of the log.
    package var outcome: String
    package var attempts = 0
    package var promptTokens: Int?
    package var completionTokens: Int?
    package var cachedTokens: Int?
    package var source: Source?
    /// Picodollars; nil if the cost is not known.
    package var cost: Int?
    package var isStream = false

    /// Creates an entry with the names that it starts with: assigning them later would release the empty ones.
    @inlinable package init(
        requestID: String = "", startedAt: Int64 = 0, key: String? = nil, operation: String = "", model: String = "",
        upstream: String? = nil, upstreamModel: String? = nil, outcome: String = LedgerEntry.unfinished
    ) {
        self.requestID = requestID
        self.startedAt = startedAt
        self.key = key
        self.operation = operation
        self.model = model
        self.upstream = upstream
        self.upstreamModel = upstreamModel
        self.outcome = outcome
    }

    /// Milliseconds since 1970, limited so that nanoseconds fit in 64 bits.
    package static let latestTime = Int64.max / 1_000_000
    package static let largestCount = TokenUsage.largestCount
    package static let largestCost = 1 << 62

    /// The entry with numbers that can be summed up and reported: an upstream can report any number, and so can the
    /// file of a gateway that was killed.
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

/// Stores what each request has used. Every implementation passes `UsageLedgerContract`.
///
/// Beginnings and ends are noted on the loops, without waiting. An entry names the same caller and model at both;
/// only if the request was not sent to its model, the model is empty at the end.
package protocol UsageLedger: Sendable {
    /// Notes the beginning of a request.
    ///
    /// - Returns: its place; nil if none is left, which is counted.
    func begin(_ entry: borrowing LedgerEntry) -> LedgerPlace?

    /// Notes a complete response that is about to be sent: what is known survives the end of the process. Can be
    /// called more than once.
    func prepare(_ entry: borrowing LedgerEntry, at place: LedgerPlace)

    /// Notes the end of a request. Nothing is noted at its place afterwards.
    func finish(_ entry: borrowing LedgerEntry, at place: LedgerPlace)

    /// Notes the end of a request that ended as it was prepared.
    ///
    /// - Parameter time: in milliseconds since 1970.
    /// - Returns: false if it was not prepared; nothing is noted then.
    func finish(at place: LedgerPlace, endedAt time: Int64) -> Bool

    /// Queries the ledger. Requests that ended a moment ago can be missing.
    ///
    /// - Parameters:
    ///   - interest: once it is over, the question is no longer answered.
    ///   - completion: called once, on a thread of the ledger or at once. Rows are in the order of their names; of
    ///     more than ``UsageQuestion/mostRows`` they are those with the most requests.
    func ask(
        _ question: UsageQuestion, for interest: StoreInterest,
        completion: @escaping @Sendable (Result<[UsageRow], UsageFailure>) -> Void)

    var health: LedgerHealth { get }

    /// Milliseconds since 1970: requests that ended earlier are forgotten.
    var knownSince: Int64 { get }

    /// Milliseconds since 1970.
    func now() -> Int64
}

/// Reason why a ledger does not answer.
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
