import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct RecentTimesTests {
    private static let millisecond: UInt64 = 1_000_000
    private static let minute: UInt64 = 60_000_000_000

    private let times = RecentTimes()

    private func note(_ milliseconds: some Sequence<UInt64>, at now: UInt64 = 0) {
        for time in milliseconds { times.note(time * Self.millisecond, at: now) }
    }

    @Test func percentileNeedsTwentySamples() {
        note(1...19)
        #expect(times.percentile(95, at: 0) == nil)
        note(20...20)
        #expect(times.percentile(95, at: 0) == 19 * Self.millisecond)
    }

    @Test func orderDoesNotMatter() {
        note((1...100).reversed())
        #expect(times.percentile(95, at: 0) == 95 * Self.millisecond)
        #expect(times.percentile(50, at: 0) == 50 * Self.millisecond)
        #expect(times.percentile(100, at: 0) == 100 * Self.millisecond)
    }

    @Test func theLastHundredCount() {
        note(repeatElement(9_000, count: 500))
        note(1...100)
        #expect(times.percentile(95, at: 0) == 95 * Self.millisecond)
    }

    @Test func samplesExpireAfterTenMinutes() {
        note(1...30, at: Self.minute)
        #expect(times.percentile(95, at: 11 * Self.minute) != nil)
        #expect(times.percentile(95, at: 12 * Self.minute) == nil)
        note(1...19, at: 12 * Self.minute)
        #expect(times.percentile(95, at: 12 * Self.minute) == nil)
    }

    @Test func shortestTimeIsAMicrosecond() {
        for _ in 0..<20 { times.note(0, at: 0) }
        #expect(times.percentile(95, at: 0) == 1000)
    }
}
