import Testing

@testable import HeadgateUpstream

@Suite struct OutputLimitTests {
    @Test func linesBeyondTheLimitOfASecondAreCounted() {
        var limit = OutputLimit(linesPerSecond: 3)
        let second: UInt64 = 1_000_000_000
        let passed = (0..<5).map { limit.admit(at: 7 * second + $0) }
        #expect(passed == [true, true, true, false, false])
        let passesLater = limit.admit(at: 8 * second)
        #expect(passesLater)
        let leftOut = [limit.takeLeftOut(), limit.takeLeftOut()]
        #expect(leftOut == [2, 0])
    }

    @Test func controlCharactersDoNotPass() {
        #expect(OutputLimit.printable("\u{1B}[31mred\u{7}\r\u{9B}2Jé 語") == "[31mred2Jé 語")
    }
}
