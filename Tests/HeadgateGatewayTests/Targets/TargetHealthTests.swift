import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

private let second: UInt64 = 1_000_000_000
private let cooldown = 30 * second

@Suite struct TargetHealthTests {
    private let health = TargetHealth()

    private func fail(_ count: Int = 1, at now: UInt64, threshold: Int = 3) {
        for _ in 0..<count { health.noteFailure(at: now, threshold: threshold, cooldown: cooldown) }
    }

    @Test func namesAreComparedByteByByte() {
        let name = TargetName(upstream: "a", model: "caf\u{E9}")
        #expect(name == TargetName(upstream: "a", model: "caf\u{E9}"))
        #expect(name != TargetName(upstream: "a", model: "cafe\u{301}"))
        #expect(name != TargetName(upstream: "b", model: "caf\u{E9}"))
        #expect(name.upstream == "a" && name.model == "caf\u{E9}")
    }

    // MARK: Breaker

    @Test func itIsClosedAtFirst() {
        #expect(health.state(at: 0) == .closed)
        #expect(health.admit(at: 0, cooldown: cooldown) == .closed)
    }

    @Test func consecutiveFailuresOpenIt() {
        fail(2, at: second)
        #expect(health.state(at: second) == .closed)
        fail(at: second)
        #expect(health.state(at: second) == .open(until: 31 * second))
        #expect(health.admit(at: 31 * second - 1, cooldown: cooldown) == .open(until: 31 * second))
    }

    @Test func remoteHintAloneDoesNotBlockATarget() {
        health.noteHint(until: 10 * second)
        #expect(health.hintedUntil(at: 9 * second) == 10 * second && health.hintedUntil(at: 10 * second) == nil)
        #expect(health.admit(at: second, cooldown: cooldown) == .closed)
        fail(at: second)
        #expect(health.state(at: second) == .open(until: 31 * second), "the first failure confirms it")
    }

    @Test func expiredOrDisprovedHintNoLongerCounts() {
        health.noteHint(until: 10 * second)
        health.noteSuccess()
        #expect(health.hintedUntil(at: second) == nil)
        health.noteHint(until: 10 * second)
        fail(at: 11 * second)
        #expect(health.state(at: 11 * second) == .closed)
        health.noteHint(until: nil)
        #expect(health.hintedUntil(at: second) == nil)
    }

    @Test func aSuccessResetsTheCount() {
        fail(2, at: second)
        health.noteSuccess()
        fail(2, at: second)
        #expect(health.state(at: second) == .closed)
    }

    @Test func failuresOfEarlierRequestsDoNotKeepItOpen() {
        fail(3, at: second)
        fail(5, at: 20 * second)
        #expect(health.state(at: 20 * second) == .open(until: 31 * second))
    }

    @Test func halfOpenItAdmitsOneProbe() {
        fail(3, at: second)
        let now = 31 * second
        #expect(health.state(at: now) == .halfOpen)
        #expect(health.state(at: now) == .halfOpen, "looking claims no probe")
        #expect(health.admit(at: now, cooldown: cooldown) == .halfOpen)
        #expect(health.admit(at: now, cooldown: cooldown) == .open(until: 61 * second))
        #expect(health.state(at: now) == .open(until: 61 * second))
    }

    @Test func aProbeThatSucceedsClosesIt() {
        fail(3, at: second)
        #expect(health.admit(at: 31 * second, cooldown: cooldown) == .halfOpen)
        health.noteSuccess()
        #expect(health.state(at: 31 * second) == .closed)
        fail(2, at: 32 * second)
        #expect(health.state(at: 32 * second) == .closed)
    }

    @Test func aProbeThatFailsOpensItAtOnce() {
        fail(3, at: second)
        #expect(health.admit(at: 31 * second, cooldown: cooldown) == .halfOpen)
        fail(at: 40 * second)
        #expect(health.state(at: 40 * second) == .open(until: 70 * second))
        fail(at: 50 * second)
        #expect(health.state(at: 50 * second) == .open(until: 70 * second), "there is no probe any more")
    }

    @Test func aProbeWithoutAResultMakesWayForTheNextAfterACooldown() {
        fail(3, at: second)
        #expect(health.admit(at: 31 * second, cooldown: cooldown) == .halfOpen)
        #expect(health.admit(at: 61 * second - 1, cooldown: cooldown) == .open(until: 61 * second))
        #expect(health.admit(at: 61 * second, cooldown: cooldown) == .halfOpen)
    }

    @Test func aCancelledProbeMakesWayAtOnce() {
        fail(3, at: second)
        #expect(health.admit(at: 31 * second, cooldown: cooldown) == .halfOpen)
        health.cancelProbe(endingAt: 61 * second, at: 32 * second)
        #expect(health.state(at: 32 * second) == .halfOpen)
        #expect(health.admit(at: 32 * second, cooldown: cooldown) == .halfOpen)
    }

    @Test func aProbeCancelledTooLateChangesNothing() {
        fail(3, at: second)
        #expect(health.admit(at: 31 * second, cooldown: cooldown) == .halfOpen)
        fail(at: 32 * second)
        health.cancelProbe(endingAt: 61 * second, at: 33 * second)
        #expect(health.state(at: 33 * second) == .open(until: 62 * second))
        health.noteSuccess()
        health.cancelProbe(endingAt: 61 * second, at: 33 * second)
        #expect(health.state(at: 33 * second) == .closed)
    }

    @Test func aCancelledProbeDoesNotAffectALaterOne() {
        fail(3, at: second)
        #expect(health.admit(at: 31 * second, cooldown: cooldown) == .halfOpen)
        #expect(health.admit(at: 61 * second, cooldown: cooldown) == .halfOpen)
        health.cancelProbe(endingAt: 61 * second, at: 62 * second)
        #expect(health.state(at: 62 * second) == .open(until: 91 * second))
    }

    @Test func aFailureWhileHalfOpenOpensItAgain() {
        fail(3, at: second)
        fail(at: 35 * second)
        #expect(health.state(at: 35 * second) == .open(until: 65 * second))
    }

    @Test func onlyOneOfManyThreadsProbes() async {
        for round in 1...50 {
            let health = TargetHealth()
            health.noteFailure(at: 0, threshold: 1, cooldown: second)
            let now = second * UInt64(round)
            let admitted = await concurrently(4) { health.admit(at: now, cooldown: cooldown) == .halfOpen }
            #expect(admitted.count { $0 } == 1)
        }
    }

    @Test func noFailureOfManyThreadsIsLost() async {
        let health = TargetHealth()
        _ = await concurrently(4) {
            for _ in 0..<250 { health.noteFailure(at: second, threshold: 1000, cooldown: cooldown) }
            return true
        }
        #expect(health.state(at: second) == .open(until: 31 * second))
    }

    // MARK: Load

    @Test func requestsInFlightAreCountedAcrossThreads() async {
        let health = TargetHealth()
        _ = await concurrently(4) {
            for _ in 0..<1000 {
                health.beginRequest()
                health.beginRequest()
                health.endRequest()
            }
            return true
        }
        #expect(health.requestsInFlight == 4000)
    }

    // MARK: Speed

    @Test func anAverageIsUnknownAtFirst() {
        #expect(health.averageTimeToFirstContent(at: 0) == nil)
    }

    @Test func aSampleCountsForAFifth() {
        health.noteTimeToFirstContent(second, at: second)
        #expect(health.averageTimeToFirstContent(at: second) == second)
        health.noteTimeToFirstContent(2 * second, at: 2 * second)
        #expect(health.averageTimeToFirstContent(at: 2 * second) == second * 12 / 10)
    }

    @Test func anOldAverageExpiresAndTheNextSampleStartsANewOne() {
        health.noteTimeToFirstContent(50 * second, at: second)
        #expect(health.averageTimeToFirstContent(at: 61 * second) == 50 * second)
        #expect(health.averageTimeToFirstContent(at: 62 * second) == nil)
        health.noteTimeToFirstContent(second, at: 62 * second)
        #expect(health.averageTimeToFirstContent(at: 62 * second) == second)
    }

    @Test func extremeSamplesStayInRange() {
        health.noteTimeToFirstContent(0, at: second)
        #expect(health.averageTimeToFirstContent(at: second) == 1000)
        health.noteTimeToFirstContent(.max, at: second)
        #expect(health.averageTimeToFirstContent(at: second).map { $0 > 800 * second } == true)
    }

    @Test func samplesOfManyThreadsStayWithinTheirBounds() async {
        let health = TargetHealth()
        _ = await concurrently(4) {
            for number in 0..<1000 as Range<UInt64> {
                health.noteTimeToFirstContent(second + number * 1_000_000, at: second * (1 + number / 100))
            }
            return true
        }
        let average = health.averageTimeToFirstContent(at: 10 * second) ?? 0
        #expect((second...2 * second).contains(average))
    }
}
