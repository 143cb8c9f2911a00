import Testing

@testable import HeadgateServer

@Suite struct BodyPaceTests {
    private static let second: UInt64 = 1_000_000_000
    private let pace = BodyPace(startingAt: 7 * second)

    private func isTooSlow(_ received: Int, after nanoseconds: UInt64, timeout: UInt64 = 30) -> Bool {
        pace.isTooSlow(
            received: received, at: 7 * BodyPaceTests.second + nanoseconds, timeout: timeout * BodyPaceTests.second)
    }

    @Test func nothingIsDueWithinTheFirstSecond() {
        #expect(!isTooSlow(0, after: 0))
        #expect(!isTooSlow(0, after: BodyPaceTests.second - 1))
    }

    @Test(arguments: [1, 5, 29] as [UInt64])
    func crawlingBodyIsTooSlow(seconds: UInt64) {
        let due = Int(seconds) * 1024
        #expect(isTooSlow(due - 1, after: seconds * BodyPaceTests.second))
        #expect(!isTooSlow(due, after: seconds * BodyPaceTests.second))
        #expect(!isTooSlow(due, after: (seconds + 1) * BodyPaceTests.second - 1))
    }

    @Test func noPaceOutlivesTheWholeDeadline() {
        #expect(!isTooSlow(1 << 30, after: 30 * BodyPaceTests.second - 1))
        #expect(isTooSlow(1 << 30, after: 30 * BodyPaceTests.second))
    }
}
