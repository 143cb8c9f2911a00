import Foundation
import HeadgateEventLoop
import HeadgateGateway
import HeadgateRelay
import Testing

@testable import HeadgateStores

/// Contract of every ledger.
@Suite struct UsageLedgerContractTests {
    enum Kind: CaseIterable {
        case memory
        case sqlite
        case postgreSQL
    }

    private let scratch = Scratch()
    private static let now: Int64 = 1_800_000_000_000

    private func ledger(_ kind: Kind, kept: Int64 = 90 * 86_400_000) throws -> any UsageLedger {
        switch kind {
        case .memory: MemoryLedger(kept: kept, now: { UsageLedgerContractTests.now })
        case .sqlite:
            try JournaledLedger(
                file: scratch.path + "/usage.db", kept: kept, now: { UsageLedgerContractTests.now }, report: { _ in })
        case .postgreSQL:
            try JournaledLedger(
                on: TestDatabase().server(), folder: scratch.path, kept: kept, slots: Journal.standardSlots,
                longestQuestion: .seconds(120), now: { UsageLedgerContractTests.now },
                report: { Issue.record("\($0)") })
        }
    }

    @Test(arguments: Kind.allCases) func requestsAreSummedByTheRequestedGrouping(_ kind: Kind) async throws {
        let ledger = try ledger(kind)
        ledger.note(.sample(key: "a", model: "m", upstream: "u", cost: 3, endedAt: Self.now - 1))
        ledger.note(.sample(key: "a", model: "n", upstream: "u", cost: nil, endedAt: Self.now - 2))
        ledger.note(.sample(key: "b", model: "m", upstream: nil, cost: 5, endedAt: Self.now - 90_000_000))
        ledger.note(.sample(key: nil, model: "m", upstream: "v", cost: 0, endedAt: Self.now - 700_000_000))
        #expect(
            try await ledger.rows(.key, since: Self.now - 100_000_000, count: 3).map(\.summary) == [
                "a 2 20/8/4 3 1", "b 1 10/4/2 5 0",
            ])
        #expect(
            try await ledger.rows(.model, since: 0, count: 4).map(\.summary) == ["m 3 30/12/6 8 0", "n 1 10/4/2 0 1"])
        #expect(
            try await ledger.rows(.upstream, since: 0, count: 4).map(\.summary) == [
                " 1 10/4/2 5 0", "u 2 20/8/4 3 1", "v 1 10/4/2 0 0",
            ])
        #expect(try await ledger.rows(.key, since: 0, key: "b", count: 1).map(\.summary) == ["b 1 10/4/2 5 0"])
        for grouping in UsageQuestion.Grouping.allCases {
            #expect(try await ledger.rows(grouping, since: 0, key: "b", count: 1).map(\.requests) == [1])
        }
        #expect(try await ledger.rows(.key, since: 0, count: 4).first?.summary == " 1 10/4/2 0 0")
        #expect(try await ledger.rows(.day, since: 0, count: 4).map(\.requests) == [1, 1, 2])
        let minutes = try await ledger.rows(.minute, since: Self.now - 60_000, count: 2)
        #expect(minutes.map(\.name) == ["1799999940000"] && minutes[0].requests == 2)
    }

    @Test(arguments: Kind.allCases) func queryEndsAtItsEnd(_ kind: Kind) async throws {
        let ledger = try ledger(kind)
        for age in 1...3 { ledger.note(.sample(key: "a", cost: age, endedAt: Self.now - Int64(age))) }
        var question = UsageQuestion(by: .key, since: 0)
        _ = try await ledger.rows(question, count: 3)
        question.until = Self.now - 1
        #expect(try await ledger.rows(question, count: 2).map(\.cost) == [5])
        // The gateway's own queries are answered like those of clients.
        question.isGateways = true
        #expect(try await ledger.rows(question, count: 2).map(\.cost) == [5])
    }

    @Test(arguments: Kind.allCases) func endOfARequestIsRecordedOnce(_ kind: Kind) async throws {
        let ledger = try ledger(kind)
        var entry = LedgerEntry.sample()
        let place = try #require(ledger.begin(entry))
        ledger.prepare(entry, at: place)
        entry.outcome = "client_gone"
        ledger.finish(entry, at: place)
        let rows = try await ledger.rows(.model, since: 0, count: 1)
        #expect(rows.count == 1 && rows[0].requests == 1 && rows[0].unfinished == 0)
    }

    @Test(arguments: Kind.allCases) func estimatedRequestsAreCounted(_ kind: Kind) async throws {
        let ledger = try ledger(kind)
        for source in [nil] + LedgerEntry.Source.allCases {
            var entry = LedgerEntry.sample()
            entry.source = source
            ledger.note(entry)
        }
        for grouping in UsageQuestion.Grouping.allCases {
            let rows = try await ledger.rows(grouping, since: 0, count: 4)
            #expect(rows.map(\.requests) == [4] && rows.map(\.estimated) == [1])
        }
    }

    @Test(arguments: Kind.allCases) func requestEndedAsPreparedIsRecordedOnce(_ kind: Kind) async throws {
        let ledger = try ledger(kind)
        let entry = LedgerEntry.sample(cost: 9, endedAt: Self.now - 60_000)
        let place = try #require(ledger.begin(entry))
        #expect(!ledger.finish(at: place, endedAt: Self.now))
        ledger.prepare(.sample(cost: 8), at: place)
        ledger.prepare(entry, at: place)
        #expect(ledger.finish(at: place, endedAt: Self.now))
        #expect(try await ledger.rows(.model, since: Self.now, count: 1).map(\.summary) == ["m 1 10/4/2 9 0"])
    }

    @Test(arguments: Kind.allCases) func numbersOfAnySizeCanBeSummed(_ kind: Kind) async throws {
        let ledger = try ledger(kind)
        for _ in 0..<3 {
            var entry = LedgerEntry.sample(cost: .max)
            entry.promptTokens = .max
            entry.completionTokens = -5
            ledger.note(entry)
        }
        let row = try #require(try await ledger.rows(.model, since: 0, count: 3).first)
        #expect(row.cost == .max && row.promptTokens >= 1 << 40 && row.completionTokens == 0)
    }

    @Test(arguments: Kind.allCases) func timesAndCostsOfAnySizeAreStored(_ kind: Kind) async throws {
        let ledger = try ledger(kind, kept: .max / 4)
        for time in [Int64.min + 5, .max] { ledger.note(.sample(cost: -5, endedAt: time)) }
        for grouping in UsageQuestion.Grouping.allCases {
            let rows = try await ledger.rows(grouping, since: -1, count: 2)
            #expect(rows.reduce(0) { $0 + $1.requests } == 2 && rows.allSatisfy { $0.cost == 0 })
        }
        #expect(try await ledger.rows(.day, since: -1, count: 2).map(\.name) == ["0", "9223286400000"])
    }

    @Test(arguments: Kind.allCases) func expiredRequestsAreInNoResult(_ kind: Kind) async throws {
        let ledger = try ledger(kind, kept: 1000)
        ledger.note(.sample(model: "old", endedAt: Self.now - 1001))
        ledger.note(.sample(model: "new", endedAt: Self.now - 999))
        #expect(try await ledger.rows(.model, since: 0, count: 1).map(\.name) == ["new"])
    }

    @Test(arguments: Kind.allCases) func busiestRowsAreReturnedIfThereAreTooMany(_ kind: Kind) async throws {
        let ledger = try ledger(kind)
        for number in 0..<UsageQuestion.mostRows + 50 { ledger.note(.sample(model: "m\(100_000 + number)")) }
        for number in 0..<20 { ledger.note(.sample(model: "z\(number)")) }
        for number in 0..<20 { ledger.note(.sample(model: "z\(number)")) }
        let rows = try await ledger.rows(.model, since: 0, count: UsageQuestion.mostRows + 20)
        #expect(rows.count == UsageQuestion.mostRows && rows.count { $0.requests == 2 } == 20)
        #expect(rows.first?.name == "m100000" && rows.last?.name == "z9")
    }

    @Test(arguments: Kind.allCases) func tenThousandRandomRequestsAddUp(_ kind: Kind) async throws {
        let ledger = try ledger(kind)
        var random = SystemRandomNumberGenerator()
        var expected: [String: UsageRow] = [:]
        var open: [(LedgerPlace, LedgerEntry)] = []
        func finishOne() {
            let (place, entry) = open.remove(at: Int.random(in: open.indices, using: &random))
            ledger.finish(entry, at: place)
            expected[entry.model, default: UsageRow(entry.model)].add(entry)
        }
        for number in 0..<10_000 {
            var entry = LedgerEntry.sample(model: "m\(number % 7)")
            entry.cost = Bool.random(using: &random) ? nil : Int.random(in: 0..<1_000_000_000, using: &random)
            entry.promptTokens = Bool.random(using: &random) ? nil : Int.random(in: 0..<100_000, using: &random)
            let place = try #require(ledger.begin(entry))
            open.append((place, entry))
            if open.count > 300 { finishOne() }
        }
        while !open.isEmpty { finishOne() }
        let rows = try await ledger.rows(.model, since: 0, count: 10_000)
        #expect(rows == expected.values.sorted { $0.name < $1.name })
        #expect(ledger.health.dropped == 0)
    }
}

extension LedgerEntry {
    static func sample(
        key: String? = "k", model: String = "m", upstream: String? = "u", cost: Int? = 1,
        endedAt: Int64 = 1_800_000_000_000
    ) -> LedgerEntry {
        var entry = LedgerEntry()
        entry.requestID = "id"
        entry.startedAt = endedAt - 5
        entry.endedAt = endedAt
        entry.key = key
        entry.operation = "createChatCompletion"
        entry.model = model
        entry.upstream = upstream
        entry.status = 200
        entry.outcome = "finished"
        entry.attempts = 1
        (entry.promptTokens, entry.completionTokens, entry.cachedTokens) = (10, 4, 2)
        entry.source = .upstream
        entry.cost = cost
        return entry
    }
}

extension UsageRow {
    fileprivate var summary: String {
        "\(name) \(requests) \(promptTokens)/\(completionTokens)/\(cachedTokens) \(cost) \(unknownCosts)"
    }
}

extension UsageLedger {
    /// Records a request from its beginning to its end.
    func note(_ entry: LedgerEntry) {
        if let place = begin(entry) { finish(entry, at: place) }
    }

    /// Returns the rows of a query once they have `count` requests in all, or after 5 minutes.
    func rows(
        _ grouping: UsageQuestion.Grouping, since: Int64, key: String? = nil, count: Int
    ) async throws -> [UsageRow] {
        try await rows(UsageQuestion(by: grouping, since: since, key: key), count: count)
    }

    func rows(_ question: UsageQuestion, count: Int) async throws -> [UsageRow] {
        let clock = ContinuousClock()
        // A busy disk can take a minute for one file.
        let end = clock.now.advanced(by: .seconds(300))
        while true {
            let rows = try await withCheckedContinuation { continuation in
                ask(question, for: StoreInterest()) { continuation.resume(returning: $0) }
            }.get()
            if rows.reduce(0, { $0 + $1.requests }) >= count || clock.now > end { return rows }
            try await clock.sleep(for: .milliseconds(5))
        }
    }
}
