import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct RequestHistoryTests {
    private func outcome(
        _ id: String, end: Outcome.End = .finished, upstream: String? = "up", code: String? = nil,
        isUpstreamsFault: Bool = false, tokens: Int? = nil
    ) -> Outcome {
        var outcome = Outcome(startedAt: 0)
        outcome.requestID = id
        outcome.end = end
        outcome.upstream = upstream
        outcome.errorCode = code
        outcome.isUpstreamsFault = isUpstreamsFault
        outcome.completionTokens = tokens
        return outcome
    }

    @Test func oldestIsOverwritten() {
        var history = RequestHistory()
        #expect(history.latest.isEmpty)
        for number in 0..<RequestHistory.capacity * 2 + 7 {
            history.add(outcome("\(number)"), at: Int64(number))
            #expect(history.latest.first?.id == "\(number)")
        }
        let latest = history.latest.map(\.endedAt)
        #expect(latest.count == RequestHistory.capacity)
        #expect(latest == (0..<latest.count).map { Int64(RequestHistory.capacity * 2 + 6 - $0) })
        #expect(history.totals.finished == RequestHistory.capacity * 2 + 7)
    }

    @Test func everyEndIsCountedOnce() {
        var history = RequestHistory()
        for end in [Outcome.End.finished, .clientGone, .upstreamFailed, .timedOut, .refused, .drained] {
            history.add(outcome("a", end: end), at: 1)
        }
        let totals = history.totals
        #expect([totals.finished, totals.clientGone, totals.upstreamFailed, totals.timedOut] == [1, 1, 1, 1])
        #expect(totals.refused == 1 && totals.drained == 1)
    }

    @Test func lastFailureOfEachUpstreamIsRetained() {
        var history = RequestHistory()
        history.add(outcome("a", end: .upstreamFailed, upstream: "one", code: "upstream_connect"), at: 1)
        history.add(
            outcome("b", end: .timedOut, upstream: "two", code: "upstream_timeout", isUpstreamsFault: true), at: 2)
        history.add(outcome("c", end: .upstreamFailed, upstream: "one", code: "upstream_tls"), at: 3)
        history.add(outcome("d", upstream: "one"), at: 4)
        // A client that does not read is not a failure of an upstream.
        history.add(outcome("e", end: .timedOut, upstream: "two", code: "client_stalled"), at: 5)
        #expect(history.lastFailure(of: "one")?.code == "upstream_tls" && history.lastFailure(of: "one")?.at == 3)
        #expect(history.lastFailure(of: "two")?.at == 2)
        #expect(history.lastFailure(of: "three") == nil)
    }

    @Test func tokenCountsNeverDecreaseOrOverflow() {
        var history = RequestHistory()
        for tokens in [7, nil, -5, Int.max, 3] { history.add(outcome("a", tokens: tokens), at: 1) }
        #expect(history.totals.completionTokens == .max && history.totals.promptTokens == 0)
    }

    @Test func cacheOutcomesAreCounted() {
        var history = RequestHistory()
        for result in [CacheResult.hit, .miss, .miss, .bypass, nil] {
            var outcome = outcome("a")
            outcome.notes[.cache] = result?.rawValue
            history.add(outcome, at: 1)
        }
        #expect(history.totals.cacheHits == 1 && history.totals.cacheMisses == 2)
        #expect(history.latest.map { $0.notes[.cache] } == [nil, "bypass", "miss", "miss", "hit"])
    }

    @Test func endedRequestStartsNoActivity() {
        let activity = UpstreamActivity()
        let record = RequestRecord { 0 }
        record.facts.isStream = true
        record.begin(activity)
        record.begin(activity)
        #expect(activity.requestsInFlight == 1 && activity.streamsInFlight == 1)
        record.complete(.finished)
        record.complete(.clientGone)
        record.begin(activity)
        #expect(activity.requestsInFlight == 0 && activity.streamsInFlight == 0)
        #expect(activity.reachability == .unknown)
    }
}

extension RequestHistory {
    fileprivate mutating func add(_ outcome: Outcome, at now: Int64) {
        var outcome = outcome
        add(&outcome, at: now)
    }
}
