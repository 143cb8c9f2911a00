internal import HeadgateConfiguration
internal import HeadgateRelay

/// Rate in the ticks of stores. A request costs a whole number of ticks, rounded up: a burst admits exactly the
/// configured number of requests, and the rate is never exceeded.
struct SharedRate {
    let room: Int
    private let count: Int
    private let period: Int
    private let burst: Int
    private let interval: Int
    private let isWhole: Bool

    /// Maximum ticks of a rate: more than two months, which no rate needs. Sums of a few are exact in 53 bits.
    static let most = 100_000_000_000_000

    init(_ rule: RateRule) {
        count = max(rule.limit.count, 1)
        period = CounterTicks.ticks(rule.limit.period.length)
        burst = max(rule.burst, 1)
        isWhole = rule.measure == .requests
        interval = SharedRate.time(of: 1, count, period)
        room = isWhole ? min(burst * interval, SharedRate.most) : SharedRate.time(of: burst, count, period)
    }

    private static func time(of units: Int, _ count: Int, _ period: Int) -> Int {
        guard let (quotient, remainder) = quotient(units, period, by: count) else { return most }
        return min(Int(clamping: min(quotient, UInt(most))) + (remainder == 0 ? 0 : 1), most)
    }

    /// Divides a product of full width; nil if the quotient overflows.
    private static func quotient(_ left: Int, _ right: Int, by divisor: Int) -> (quotient: UInt, remainder: UInt)? {
        let product = left.magnitude.multipliedFullWidth(by: right.magnitude)
        guard product.high < divisor.magnitude else { return nil }
        return divisor.magnitude.dividingFullWidth(product)
    }

    /// Returns the ticks until units are available again, rounded up.
    ///
    /// - Parameter units: a negative number is returned to the rate.
    func ticks(_ units: Int) -> Int {
        if isWhole { return units * interval }
        return units < 0 ? -SharedRate.time(of: -units, count, period) : SharedRate.time(of: units, count, period)
    }

    func remaining(ahead: Int) -> Int {
        guard ahead < room else { return 0 }
        if isWhole { return (room - ahead) / interval }
        guard let (units, _) = SharedRate.quotient(room - ahead, count, by: period) else { return burst }
        return min(Int(clamping: units), burst)
    }
}
