internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Latest requests in a ring buffer, and totals of all requests.
package struct RequestHistory: Sendable {
    /// Requests by outcome, and their tokens as far as upstreams counted them.
    struct Totals: Sendable {
        var finished = 0
        var clientGone = 0
        var upstreamFailed = 0
        var timedOut = 0
        var refused = 0
        var drained = 0
        var promptTokens = 0
        var completionTokens = 0
        var cacheHits = 0
        var cacheMisses = 0
    }

    /// Last failure of an upstream.
    struct Failure: Sendable {
        let upstream: String
        /// Nanoseconds since 1970.
        var at: Int64
        var code: String
        /// Message from the system or the codec.
        var detail: String?
    }

    static let capacity = 200

    private(set) var totals = Totals()
    /// Last failure of each upstream that has ever failed.
    private var failures: [Failure] = []
    private var ring: [RequestSummary] = []
    /// Index of the entry to replace next, once the ring is full.
    private var next = 0

    package init() {}

    /// Adds a request.
    ///
    /// - Parameters:
    ///   - outcome: read, not changed.
    ///   - now: nanoseconds since 1970.
    mutating func add(_ outcome: inout Outcome, at now: Int64) {
        count(outcome)
        if outcome.isUpstreamFailure, let upstream = outcome.upstream { noteFailure(of: upstream, outcome, at: now) }
        let summary = RequestSummary(&outcome, endedAt: now)
        if ring.count < RequestHistory.capacity {
            if ring.isEmpty { ring.reserveCapacity(RequestHistory.capacity) }
            ring.append(summary)
        } else {
            ring[next] = summary
            next = (next + 1) % RequestHistory.capacity
        }
    }

    /// Requests in the ring, the latest first.
    var latest: [RequestSummary] { (ring[next...] + ring[..<next]).reversed() }

    func lastFailure(of upstream: String) -> Failure? { failures.first { $0.upstream.isExactly(upstream) } }

    private mutating func count(_ outcome: borrowing Outcome) {
        switch outcome.end {
        case .finished: totals.finished += 1
        case .clientGone: totals.clientGone += 1
        case .upstreamFailed: totals.upstreamFailed += 1
        case .timedOut: totals.timedOut += 1
        case .refused: totals.refused += 1
        case .drained: totals.drained += 1
        }
        // An upstream can report any number.
        totals.promptTokens = totals.promptTokens.addingCapped(outcome.promptTokens)
        totals.completionTokens = totals.completionTokens.addingCapped(outcome.completionTokens)
        guard !outcome.notes.isEmpty, let result = outcome.notes[.cache] else { return }
        if result == CacheResult.hit.rawValue { totals.cacheHits += 1 }
        if result == CacheResult.miss.rawValue { totals.cacheMisses += 1 }
    }

    private mutating func noteFailure(of upstream: String, _ outcome: borrowing Outcome, at now: Int64) {
        let failure = Failure(
            upstream: upstream, at: now, code: outcome.errorCode ?? "upstream_failed", detail: outcome.errorDetail)
        if let index = failures.firstIndex(where: { $0.upstream.isExactly(upstream) }) {
            failures[index] = failure
        } else {
            failures.append(failure)
        }
    }
}
