import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Units that a rate admits, compared with an account that remembers every unit.
@Suite struct CellRateTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func aBurstIsAvailableAtOnceAndThenRefillsOneByOne() {
        let rate = CellRate(count: 60, period: 60 * Self.second, burst: 10)
        var full: UInt64 = 0
        for left in (0..<10).reversed() {
            #expect(rate.wait(for: 1, at: 5, full: full) == 0)
            full = rate.full(after: 1, at: 5, full: full)
            #expect(rate.remaining(at: 5, full: full) == left)
        }
        #expect(rate.wait(for: 1, at: 5, full: full) == Self.second)
        #expect(rate.wait(for: 3, at: 5, full: full) == 3 * Self.second)
        #expect(rate.wait(for: 1, at: 5 + Self.second, full: full) == 0)
        #expect(rate.wait(for: 1, at: 4 + Self.second, full: full) == 1)
    }

    @Test func refillNeverExceedsTheBurst() {
        let rate = CellRate(count: 1000, period: 60 * Self.second, burst: 1000)
        #expect(rate.remaining(at: 10_000 * Self.second, full: 7) == 1000)
        #expect(rate.wait(for: 1001, at: 10_000 * Self.second, full: 7) > 0)
        #expect(rate.full(after: -5000, at: 100, full: 90) == 100)
    }

    @Test func returnedUnitsAreAvailableAgain() {
        let rate = CellRate(count: 200_000, period: 60 * Self.second, burst: 200_000)
        var full = rate.full(after: 150_000, at: 0, full: 0)
        #expect(rate.remaining(at: 0, full: full) == 50_000)
        full = rate.full(after: -100_000, at: 0, full: full)
        #expect(rate.remaining(at: 0, full: full) == 150_000)
        full = rate.full(after: 400_000, at: 0, full: full)
        #expect(rate.remaining(at: 0, full: full) == 0)
        #expect(rate.wait(for: 1, at: 0, full: full) > 60 * Self.second)
    }

    @Test func noNumberIsTooLarge() {
        let rate = CellRate(count: 1, period: 86_400 * Self.second, burst: 1)
        let full = rate.full(after: .max, at: .max - 5, full: 0)
        #expect(full == .max && rate.remaining(at: 0, full: full) == 0)
        #expect(rate.wait(for: .max, at: 0, full: full) == .max)
        #expect(rate.full(after: .min, at: 9, full: full) == 9)
        let fast = CellRate(count: 1_000_000_000_000, period: Self.second, burst: 1_000_000_000_000)
        #expect(fast.full(after: 1, at: 0, full: 0) == 1 && fast.remaining(at: 0, full: 0) == 1_000_000_000_000)
    }

    /// In any window of a period at most a burst plus the refill passes, and a refused request passes after the
    /// reported wait.
    @Test(arguments: 0..<40)
    func noWindowExceedsTheRate(_ seed: UInt64) {
        var random = SeededGenerator(state: seed)
        let count = Int.random(in: 1...50, using: &random)
        let burst = Int.random(in: 1...count, using: &random)
        let rate = CellRate(count: count, period: Self.second, burst: burst)
        var (now, full) = (UInt64(1), UInt64(0))
        var passed: [UInt64] = []
        for _ in 0..<2000 {
            now += .random(in: 0...Self.second / 20, using: &random)
            let wait = rate.wait(for: 1, at: now, full: full)
            if wait > 0 {
                #expect(rate.wait(for: 1, at: now + wait, full: full) == 0)
                #expect(rate.wait(for: 1, at: now + wait - 1, full: full) > 0)
                continue
            }
            full = rate.full(after: 1, at: now, full: full)
            passed.append(now)
        }
        for (index, start) in passed.enumerated() {
            let within = passed[index...].prefix { $0 < start + Self.second }.count
            #expect(within <= burst + count)
        }
        let span = Double(passed.last ?? 0) / Double(Self.second)
        #expect(Double(passed.count) <= Double(burst) + span * Double(count) + 1)
    }
}
