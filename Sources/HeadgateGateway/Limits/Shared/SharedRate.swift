internal import HeadgateConfiguration
internal import HeadgateRelay

/// A rate in the ticks of stores. Units that are taken one at a time cost a whole number of them, so that a burst is
/// exactly as many as configured; the rate is never exceeded.
struct SharedRate {
    let room: Int
    private let count: Int
    private let period: Int
    private let burst: Int
    private let interval: Int
    private let isWhole: Bool

    /// More than two months: no rate has so much room, and sums of it are exact.
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

    /// Of a product.
    private static func quotient(_ left: Int, _ right: Int, by divisor: Int) -> (quotient: UInt, remainder: UInt)? {
        let product = left.magnitude.multipliedFullWidth(by: right.magnitude)
        guard product.high < divisor.magnitude else { return nil }
        return divisor.magnitude.dividingFullWidth(product)
    }

    /// How long some units take to come back, rounded up.
    ///
    /// - Parameter units: below 0 are given back.
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
