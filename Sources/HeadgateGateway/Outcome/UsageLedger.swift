internal import HeadgateDialects

/// What one request has used, and what it was: a line of the ledger. Names and counts: no content, no secret.
package struct LedgerEntry: Sendable, Hashable {
    /// Where the tokens are from.
    package enum Source: String, Sendable, CaseIterable {
        /// The upstream has counted them all.
        case upstream
        /// The upstream's count of a response that did not come to its end: there may have been more.
        case partial
        /// The upstream has not counted them all: see ``UsageEstimate``.
        case estimated
    }

    /// In place of how it ended, for a request whose gateway was killed.
    package static let unfinished = "unfinished"

    package var requestID = ""
    /// Milliseconds since 1970.
    package var startedAt: Int64 = 0
    package var endedAt: Int64 = 0
    /// The name of the client key.
    package var key: String?
    package var operation = ""
    /// As the client knows it.
    package var model = ""
    package var upstream: String?
    /// The upstream's name for the model; nil for the public name.
    package var upstreamModel: String?
    package var status = 0
    /// How it ended, in the words of the log.
    package var outcome = LedgerEntry.unfinished
    package var attempts = 0
    package var promptTokens: Int?
    package var completionTokens: Int?
    package var cachedTokens: Int?
    package var source: Source?
    /// Picodollars; nil where it is not known.
    package var cost: Int?
    package var isStream = false

    package init() {}

    /// Milliseconds since 1970: as far as nanoseconds in 64 bits reach.
    package static let latestTime = Int64.max / 1_000_000
    package static let largestCount = TokenUsage.largestCount
    package static let largestCost = 1 << 62

    /// With numbers that can be summed up and told: an upstream may report any, and so may the file of a gateway that
    /// was killed.
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

/// The place of a request in a ledger, from its beginning to its end.
package struct LedgerPlace: Sendable, Equatable {
    package let index: Int

    package init(_ index: Int) { self.index = index }
}

/// Keeps what each request has used. Every implementation passes `UsageLedgerContract`.
///
/// Beginnings and ends are noted on the loops, without waiting for anything. Who asks for what is as it was at the
/// beginning, but that a request may not have gone to its model: then that is empty in the end.
package protocol UsageLedger: Sendable {
    /// A request begins.
    ///
    /// - Returns: its place; nil where none is left, which is counted.
    func begin(_ entry: borrowing LedgerEntry) -> LedgerPlace?

    /// Its response is complete and about to be sent: what is known survives the end of the process. May be called more
    /// than once.
    func prepare(_ entry: borrowing LedgerEntry, at place: LedgerPlace)

    /// It is over. Nothing is noted there afterwards.
    func finish(_ entry: borrowing LedgerEntry, at place: LedgerPlace)

    /// The same for one that has ended as it was prepared.
    ///
    /// - Parameter time: milliseconds since 1970.
    /// - Returns: false, and nothing is noted, where it was not prepared.
    func finish(at place: LedgerPlace, endedAt time: Int64) -> Bool

    /// What ended a moment ago may be missing.
    ///
    /// - Parameters:
    ///   - interest: once it is over the question is not answered any more.
    ///   - completion: called once, on a thread of the ledger or at once. Rows are in the order of their names; of more
    ///     than ``UsageQuestion/mostRows`` they are those with most requests.
    func ask(
        _ question: UsageQuestion, for interest: StoreInterest,
        completion: @escaping @Sendable (Result<[UsageRow], UsageFailure>) -> Void)

    var health: LedgerHealth { get }

    /// Milliseconds since 1970: what has ended before is forgotten.
    var knownSince: Int64 { get }

    /// Milliseconds since 1970.
    func now() -> Int64
}

/// Why a ledger does not answer.
package enum UsageFailure: Error, Sendable {
    /// Others, or the same key, are asking already.
    case busy
    /// It takes longer than a question may.
    case slow
    case unreadable
}

package struct LedgerHealth: Sendable, Equatable {
    /// Requests that are over and not written yet.
    package var pending: Int
    /// Requests that are not in the ledger, as there was no room.
    package var dropped: Int
    package var isWorking: Bool

    package init(pending: Int = 0, dropped: Int = 0, isWorking: Bool = true) {
        self.pending = pending
        self.dropped = dropped
        self.isWorking = isWorking
    }
}
