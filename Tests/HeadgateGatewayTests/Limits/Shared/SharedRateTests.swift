import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct SharedRateTests {
    private func rate(
        _ count: Int, _ period: RateLimit.Period, _ measure: LimitMeasure = .requests, burst: Int? = nil
    ) -> SharedRate {
        SharedRate(RateRule(measure, RateLimit(count, per: period), burst: burst ?? count))
    }

    @Test(arguments: [1, 7, 60, 97, 1000, 7001, 999_999])
    func burstIsExactlyAsManyAsConfigured(_ count: Int) {
        let rate = rate(count, .minute)
        #expect(rate.ticks(count) == rate.room && rate.ticks(1) > 0)
        #expect(rate.ticks(count + 1) > rate.room)
        // The burst refills in a minute or slightly more, never faster than the rate.
        #expect(rate.room >= 960_000_000 && rate.room - 960_000_000 <= count)
        #expect(rate.remaining(ahead: 0) == count && rate.remaining(ahead: rate.ticks(1)) == count - 1)
        #expect(rate.remaining(ahead: rate.room) == 0 && rate.remaining(ahead: .max) == 0)
    }

    @Test func tokensOfOneRequestAreRoundedOnce() {
        let rate = rate(7, .second, .tokens)
        #expect(rate.room == 16_000_000 && rate.ticks(7) == rate.room && rate.ticks(-7) == -rate.room)
        #expect(rate.ticks(1) == 2_285_715 && rate.ticks(0) == 0)
        #expect(rate.remaining(ahead: rate.ticks(3)) == 3)
    }

    @Test func excessiveValuesAreCapped() {
        #expect(rate(1, .day, .tokens).ticks(.max) == SharedRate.most)
        #expect(rate(1, .day, .tokens).ticks(-.max) == -SharedRate.most)
        #expect(rate(1_000_000_000_000, .second, .tokens).ticks(1) == 1)
        #expect(rate(1_000_000_000_000, .day).room <= SharedRate.most)
    }

    @Test func ticksAreSixteenthsOfMicroseconds() {
        #expect(CounterTicks.ticks(1_000_000_000) == 16_000_000)
        #expect(CounterTicks.nanoseconds(16_000_000) == 1_000_000_000)
        #expect(CounterTicks.nanoseconds(-1) == 0 && CounterTicks.nanoseconds(.max) == .max)
    }
}
