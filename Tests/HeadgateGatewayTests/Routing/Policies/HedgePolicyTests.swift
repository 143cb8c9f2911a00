import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct HedgePolicyTests {
    private static let millisecond: UInt64 = 1_000_000

    @Test(arguments: [true, false]) func fixedDelayNeedsNoMeasurements(_ isStream: Bool) {
        let policy = HedgePolicy(after: .time(.milliseconds(300)), times: nil)
        #expect(policy.wait(isStream: isStream, at: 0) == 300 * Self.millisecond)
    }

    @Test func streamsAndDocumentsAreMeasuredApart() {
        let times = FirstContentTimes()
        let policy = HedgePolicy(after: .p95, times: times)
        for time in 1...20 as ClosedRange<UInt64> { times.ofStreams.note(time * Self.millisecond, at: 0) }
        for time in 1...19 as ClosedRange<UInt64> { times.ofDocuments.note(time * 10 * Self.millisecond, at: 0) }
        #expect(policy.wait(isStream: true, at: 0) == 19 * Self.millisecond)
        #expect(policy.wait(isStream: false, at: 0) == nil)
        times.ofDocuments.note(200 * Self.millisecond, at: 0)
        #expect(policy.wait(isStream: false, at: 0) == 190 * Self.millisecond)
        #expect(HedgePolicy(after: .p95, times: nil).wait(isStream: true, at: 0) == nil)
    }
}
