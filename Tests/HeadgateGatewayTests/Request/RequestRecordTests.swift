import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct RequestRecordTests {
    private final class Clock {
        var now: UInt64 = 1_000_000_000
    }

    /// An observer whose sendability is unchecked, because it stays on the thread of its test.
    private final class Observer: OutcomeObserver, @unchecked Sendable {
        private let heard: (inout Outcome) -> Void

        init(_ heard: @escaping (inout Outcome) -> Void) { self.heard = heard }

        func observe(_ outcome: inout Outcome) { heard(&outcome) }
    }

    private func record(_ clock: Clock, _ outcomes: ((inout Outcome) -> Void)...) -> RequestRecord {
        let record = RequestRecord { clock.now }
        record.observe(outcomes.map { Observer($0).function })
        return record
    }

    @Test func firstEndIsTheOnlyOne() {
        let clock = Clock()
        var outcomes: [Outcome] = []
        let record = record(clock, { outcomes.append($0) })
        #expect(!record.isComplete)
        clock.now += 2_500_000_000
        record.complete(.clientGone)
        clock.now += 1
        record.complete(.finished)
        #expect(record.isComplete)
        #expect(outcomes.map(\.end) == [.clientGone])
        #expect(outcomes.map(\.duration) == [2.5])
    }

    @Test func everyObserverReceivesTheOutcomeOnceInOrder() {
        let clock = Clock()
        var heard: [String] = []
        let record = record(
            clock, { heard.append("a \($0.end) \($0.duration)") }, { heard.append("b \($0.end) \($0.duration)") },
            { heard.append("c \($0.end) \($0.duration)") })
        clock.now += 500_000_000
        record.complete(.drained)
        record.complete(.finished)
        #expect(heard == ["a drained 0.5", "b drained 0.5", "c drained 0.5"])
    }

    @Test func earlierDecidedEndTakesPrecedence() {
        var ends: [Outcome.End] = []
        let record = record(Clock(), { ends.append($0.end) })
        record.decide(.upstreamFailed)
        record.complete(.finished)
        #expect(ends == [.upstreamFailed])
    }

    @Test func onlyTheFirstContentIsNoted() {
        let clock = Clock()
        let record = record(clock)
        #expect(record.facts.timeToFirstContent == nil)
        clock.now += 250_000_000
        record.noteFirstContent()
        clock.now += 1_000_000_000
        record.noteFirstContent()
        #expect(record.facts.timeToFirstContent == 0.25)
    }

    @Test func observerCanCompleteAgain() {
        var count = 0
        weak var inner: RequestRecord?
        let record = record(
            Clock(),
            { _ in
                count += 1
                inner?.complete(.timedOut)
            })
        inner = record
        record.complete(.refused)
        #expect(count == 1)
        #expect(record.facts.end == .refused)
    }
}
