import Testing

@testable import HeadgateUpstream

@Suite struct OutputLimitTests {
    @Test func linesAboveTheLimitPerSecondAreCounted() {
        var limit = OutputLimit(linesPerSecond: 3)
        let second: UInt64 = 1_000_000_000
        let passed = (0..<5).map { limit.admit(at: 7 * second + $0) }
        #expect(passed == [true, true, true, false, false])
        let passesLater = limit.admit(at: 8 * second)
        #expect(passesLater)
        let leftOut = [limit.takeLeftOut(), limit.takeLeftOut()]
        #expect(leftOut == [2, 0])
    }
}
