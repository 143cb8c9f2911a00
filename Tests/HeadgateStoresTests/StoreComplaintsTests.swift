import HeadgateEventLoop
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateStores

@Suite struct StoreComplaintsTests {
    private static let second: Int64 = 1_000_000_000

    @Test func intermittentFailureIsReportedOnce() {
        let (now, reports) = (Locked<Int64>(0), Lines())
        let complaints = StoreComplaints(
            "the server", quiet: .seconds(60), now: { now.withLock(\.self) }, { reports.add($0) })
        for _ in 0..<3 {
            complaints.note("it is full")
            now.withLock { $0 += 59 * Self.second }
            complaints.resolve()
        }
        #expect(reports.all == ["the server: an answer is not kept, and maybe more: it is full"])
        now.withLock { $0 += Self.second }
        complaints.resolve()
        complaints.resolve()
        #expect(reports.all.dropFirst() == ["the server: answers are kept again; 3 were not"])
    }
}
