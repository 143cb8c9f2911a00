import Testing

@testable import HeadgateGateway

@Suite struct LoopPressureTests {
    private static let millisecond: UInt64 = 1_000_000
    private static let start: UInt64 = 1_000_000_000_000

    /// Returns whether requests are refused after each tick, for ticks with these gaps in milliseconds.
    private func refusals(_ gaps: [UInt64], hasLoad: Bool = true) -> [Bool] {
        var now = Self.start
        var pressure = LoopPressure(at: now)
        return gaps.map { gap in
            now += gap * Self.millisecond
            pressure.tick(at: now, hasLoad: hasLoad)
            return pressure.isOverloaded
        }
    }

    @Test func loopLateForTwoSecondsRefusesRequests() {
        #expect(refusals([250, 600, 600, 600, 600, 600]) == [false, false, false, false, false, true])
        #expect(refusals([501, 1000, 999]) == [false, false, false])
        #expect(refusals([501, 1000, 1000]) == [false, false, true])
    }

    @Test func lagUpToAQuarterOfASecondIsIgnored() {
        #expect(refusals(.init(repeating: 500, count: 20)).allSatisfy { !$0 })
        #expect(refusals(.init(repeating: 501, count: 20)).contains(true))
    }

    @Test func firstTimelyTickEndsTheOverload() {
        #expect(refusals([600, 1100, 1100, 250, 600]) == [false, false, true, false, false])
    }

    @Test func suspendedMachineRefusesNoRequest() {
        #expect(refusals([250, 3_600_000, 250, 250]).allSatisfy { !$0 })
        // The loop was late before, and now stops for longer than any load could cause.
        #expect(refusals([600, 600, 3_600_000, 600, 250]).allSatisfy { !$0 })
        #expect(refusals([250, 9_000, 250]).allSatisfy { !$0 })
    }

    @Test func loopWithoutClientsRefusesNoRequest() {
        #expect(refusals(.init(repeating: 1000, count: 10), hasLoad: false).allSatisfy { !$0 })
    }
}
