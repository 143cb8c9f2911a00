import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

private let second: UInt64 = 1_000_000_000

@Suite struct RetryBudgetTests {
    private var budget = RetryBudget()

    private mutating func taken(of wishes: Int, percent: Int = 10, at now: UInt64) -> Int {
        (0..<wishes).count { _ in budget.take(percent: percent, at: now) }
    }

    @Test mutating func threeRetriesAMinuteAreAlwaysAllowed() {
        #expect(taken(of: 10, at: 0) == 3)
        #expect(taken(of: 10, at: 59 * second) == 0)
        #expect(taken(of: 10, at: 60 * second) == 3)
    }

    @Test mutating func itIsAShareOfTheLastMinutesRequests() {
        for number in 0..<600 as Range<UInt64> { budget.noteRequest(at: number * second / 10) }
        #expect(taken(of: 100, at: 59 * second) == 60)
        #expect(taken(of: 100, percent: 20, at: 59 * second) == 60)
    }

    @Test mutating func requestsOfThePreviousMinuteNoLongerCount() {
        for _ in 0..<1000 { budget.noteRequest(at: second) }
        #expect(taken(of: 1, at: 60 * second) == 1)
        #expect(taken(of: 200, at: 60 * second + 1) == 99)
        #expect(taken(of: 200, at: 61 * second) == 0)
        #expect(taken(of: 200, at: 120 * second) == 3)
    }

    @Test mutating func longQuietTimesForgetEverything() {
        for _ in 0..<1000 { budget.noteRequest(at: second) }
        #expect(taken(of: 100, at: second) == 100)
        #expect(taken(of: 10, at: 1_000_000 * second) == 3)
    }

    @Test mutating func closedBudgetAllowsNone() {
        for number in 0..<600 as Range<UInt64> { budget.noteRequest(at: number * second / 10) }
        budget.close()
        #expect(taken(of: 10, at: 59 * second) == 0)
        #expect(taken(of: 10, at: 1_000 * second) == 0)
    }

    @Test mutating func instantsOutOfOrderCountAsTheLatest() {
        for _ in 0..<100 { budget.noteRequest(at: 100 * second) }
        for _ in 0..<100 { budget.noteRequest(at: 99 * second) }
        #expect(taken(of: 100, at: 98 * second) == 20)
    }

    @Test(arguments: 0..<20 as Range<UInt64>) mutating func agreesWithAReferenceList(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        var requests: [UInt64] = []
        var retries: [UInt64] = []
        var now: UInt64 = 0
        for _ in 0..<5000 {
            now += UInt64.random(in: 0...(Bool.random(using: &random) ? 50 : 1_000), using: &random) * second / 1000
            if Int.random(in: 0..<20, using: &random) == 0 { now += UInt64.random(in: 0..<90, using: &random) * second }
            let oldest = now / second
            func recent(_ instants: [UInt64]) -> Int { instants.count { $0 / second + 60 > oldest } }
            if Bool.random(using: &random) {
                budget.noteRequest(at: now)
                requests.append(now)
            } else {
                let expected = recent(retries) < max(3, recent(requests) * 10 / 100)
                #expect(budget.take(percent: 10, at: now) == expected)
                if expected { retries.append(now) }
            }
        }
    }
}
