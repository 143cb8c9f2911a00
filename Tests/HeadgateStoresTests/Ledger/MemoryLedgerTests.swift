import HeadgateGateway
import HeadgateRelay
import Testing

@testable import HeadgateStores

@Suite struct MemoryLedgerTests {
    private static let now: Int64 = 1_800_000_000_000

    private func ledger(largest: Int) -> MemoryLedger {
        MemoryLedger(largest: largest, kept: 1000, now: { MemoryLedgerTests.now })
    }

    @Test func latestRequestsAreHeld() async throws {
        let ledger = ledger(largest: 3)
        for number in 0..<8 { ledger.note(.sample(model: "\(number)")) }
        #expect(try await ledger.rows(.model, since: 0, count: 3).map(\.name) == ["5", "6", "7"])
    }

    @Test func expiredRequestsAreOmitted() async throws {
        let ledger = ledger(largest: 3)
        ledger.note(.sample(model: "old", endedAt: Self.now - 1001))
        ledger.note(.sample(model: "new", endedAt: Self.now - 1000))
        #expect(try await ledger.rows(.model, since: 0, count: 1).map(\.name) == ["new"])
    }
}
