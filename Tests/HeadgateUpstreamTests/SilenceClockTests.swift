import HeadgateHTTP
import Testing

@testable import HeadgateUpstream

@Suite struct SilenceClockTests {
    private func clock(startedAt start: UInt64 = 100) -> SilenceClock {
        var clock = SilenceClock(limit: 50)
        #expect(clock.note(.content, at: start) == start + 50)
        return clock
    }

    @Test func contentRestartsTheWholeLimit() {
        var clock = clock()
        #expect(clock.note(.content, at: 140) == 190)
    }

    @Test func nothingChangesNothing() {
        var clock = clock()
        #expect(clock.note(.nothing, at: 110) == nil)
        #expect(clock.note(.nothing, at: 149) == nil)
    }

    @Test func bytesUnderWayEachGetTheLimit() {
        var clock = clock()
        for now in stride(from: UInt64(140), to: 1000, by: 49) {
            #expect(clock.note(.underWay, at: now) == now + 50)
        }
        #expect(clock.note(.content, at: 1000) == 1050)
    }

    /// Events without content, each in two writes, still count as silence.
    @Test func emptyEventNeitherUsesNorRestartsTheWait() {
        var clock = clock()
        #expect(clock.note(.underWay, at: 120) == 170)
        #expect(clock.note(.nothing, at: 130) == 160)
        #expect(clock.note(.underWay, at: 150) == 200)
        #expect(clock.note(.nothing, at: 151) == 161)
    }

    @Test func pauseStopsTheClock() {
        var clock = clock()
        clock.pause(at: 130)
        #expect(clock.note(.nothing, at: 500) == nil)
        #expect(clock.resume(at: 1000) == 1020)
    }

    @Test func activityDuringAPauseCountsAfterIt() {
        var clock = clock()
        clock.pause(at: 130)
        #expect(clock.note(.content, at: 140) == nil)
        #expect(clock.resume(at: 1000) == 1050)
        clock.pause(at: 1010)
        #expect(clock.note(.underWay, at: 1020) == nil)
        #expect(clock.resume(at: 2000) == 2050)
        #expect(clock.note(.nothing, at: 2010) == 2050)
    }

    @Test func resumeWithoutAPauseIsTheSameDeadline() {
        var clock = clock()
        #expect(clock.resume(at: 120) == 150)
    }
}
