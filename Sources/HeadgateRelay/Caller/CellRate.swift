/// Generic cell rate algorithm: allows units at an even rate, and up to a burst of them at once.
///
/// The only state is the instant at which the whole burst is available again. Instants and times are in nanoseconds.
package struct CellRate: Sendable {
    @usableFromInline let count: UInt64
    @usableFromInline let period: UInt64
    @usableFromInline let burst: UInt64
    /// Times in which a whole burst and one unit become available again.
    @usableFromInline let room: UInt64
    @usableFromInline let interval: UInt64

    /// - Parameters:
    ///   - count: units in each period; at least 1.
    ///   - burst: from 1 to `count`.
    init(count: Int, period: UInt64, burst: Int) {
        self.count = UInt64(max(count, 1))
        self.period = period
        self.burst = UInt64(max(burst, 1))
        room = CellRate.time(of: self.burst, self.count, period)
        interval = CellRate.time(of: 1, self.count, period)
    }

    /// Returns the time in which units become available again, rounded up so that the rate is never exceeded.
    @usableFromInline static func time(of units: UInt64, _ count: UInt64, _ period: UInt64) -> UInt64 {
        let (high, low) = units.multipliedFullWidth(by: period)
        guard high < count else { return .max }
        // Division in 64 bits, the usual case, is several times as fast.
        let (quotient, remainder) =
            high == 0 ? low.quotientAndRemainder(dividingBy: count) : count.dividingFullWidth((high, low))
        return remainder == 0 ? quotient : quotient + 1
    }

    @inlinable func time(of units: UInt64) -> UInt64 {
        units == 1 ? interval : CellRate.time(of: units, count, period)
    }

    /// Returns the time until that many more units are available; 0 if they are available now.
    ///
    /// - Parameter full: the instant at which the whole burst is available.
    @inlinable package func wait(for units: Int, at now: UInt64, full: UInt64) -> UInt64 {
        let ahead = max(full, now) - now
        let (needed, overflows) = ahead.addingReportingOverflow(time(of: UInt64(max(units, 0))))
        return overflows ? .max : needed > room ? needed - room : 0
    }

    /// Returns the instant at which the whole burst is available, once that many more units are taken.
    ///
    /// - Parameter units: negative to give units back.
    @inlinable package func full(after units: Int, at now: UInt64, full: UInt64) -> UInt64 {
        let change = time(of: UInt64(units.magnitude))
        let from = max(full, now)
        guard units < 0 else { return from.addingReportingOverflow(change).overflow ? .max : from + change }
        return from - now > change ? from - change : now
    }

    /// Returns the number of units that can be taken now.
    @inlinable package func remaining(at now: UInt64, full: UInt64) -> Int {
        let ahead = max(full, now) - now
        guard ahead > 0 else { return Int(clamping: burst) }
        guard room > ahead else { return 0 }
        let (high, low) = (room - ahead).multipliedFullWidth(by: count)
        guard high < period else { return Int(clamping: burst) }
        return Int(clamping: min(period.dividingFullWidth((high, low)).quotient, burst))
    }
}
