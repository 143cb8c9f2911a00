import Testing

@testable import HeadgateServer

@Suite struct ResponseFlowTests {
    private static let timeout: UInt64 = 30_000_000_000

    // MARK: Holding back

    @Test func sourceIsHeldBackOnceAboveTheHighWaterMark() {
        var flow = ResponseFlow()
        let held = [100, 101, 200].map { flow.queued($0, highWaterMark: 100) }
        #expect(held == [false, true, false])
    }

    @Test func atMost256KiBWaitForAClientByDefault() {
        let limits = ServerLimits()
        #expect(limits.outputHighWaterMark + 64 * 1024 == 256 * 1024 && limits.outputLowWaterMark == 64 * 1024)
    }

    @Test func mostThatEverWaitedIsKept() {
        var flow = ResponseFlow()
        var most: [Int] = []
        for count in [5, 9, 7, 10] {
            _ = flow.queued(count, highWaterMark: 100)
            most.append(flow.mostQueued)
        }
        #expect(most == [5, 9, 9, 10])
    }

    @Test func sourceResumesOnceAtTheLowWaterMark() {
        var flow = ResponseFlow()
        let before = flow.drained(to: 0, lowWaterMark: 50)
        #expect(!before, "nothing was held back")
        _ = flow.queued(101, highWaterMark: 100)
        let goesOn = [51, 50, 0].map { flow.drained(to: $0, lowWaterMark: 50) }
        #expect(goesOn == [false, true, false])
    }

    @Test func resumedSourceIsHeldBackAgain() {
        var flow = ResponseFlow()
        for _ in 0..<3 {
            let isHeld = flow.queued(101, highWaterMark: 100)
            let goesOn = flow.drained(to: 50, lowWaterMark: 50)
            #expect(isHeld && goesOn)
        }
        #expect(flow.mostQueued == 101)
    }

    // MARK: The client's progress

    @Test func stalledReaderTimesOut() {
        var flow = ResponseFlow()
        flow.beginWaiting(taken: 10, at: 5)
        let early = flow.isStalled(taken: 10, at: 5 + ResponseFlowTests.timeout - 1, timeout: ResponseFlowTests.timeout)
        #expect(!early)
        let due = flow.isStalled(taken: 10, at: 5 + ResponseFlowTests.timeout, timeout: ResponseFlowTests.timeout)
        #expect(due)
    }

    /// The reader takes one byte in half of each timeout, for an hour.
    @Test func slowButSteadyReaderNeverStalls() {
        var flow = ResponseFlow()
        flow.beginWaiting(taken: 0, at: 0)
        for step in 1...240 {
            let isStalled = flow.isStalled(
                taken: step, at: UInt64(step) * ResponseFlowTests.timeout / 2, timeout: ResponseFlowTests.timeout)
            #expect(!isStalled)
        }
    }

    @Test func readerIsCheckedSeveralTimesInItsTimeout() {
        var limits = ServerLimits()
        limits.writeTimeout = .seconds(24)
        let times = ConnectionLimits(limits)
        #expect(times.writeCheckInterval == 6_000_000_000)
        #expect(times.pressedWriteTimeout == 4_000_000_000 && times.pressedCheckInterval == 1_000_000_000)
    }

    @Test func waitRestartsAfterAnEmptyQueue() {
        var flow = ResponseFlow()
        flow.beginWaiting(taken: 10, at: 0)
        flow.beginWaiting(taken: 10, at: ResponseFlowTests.timeout)
        let isStalled = flow.isStalled(
            taken: 10, at: ResponseFlowTests.timeout * 2 - 1, timeout: ResponseFlowTests.timeout)
        #expect(!isStalled)
    }
}
