internal import HeadgatePrimitives

/// A rate: ``count`` at once, replenished evenly over each ``period``.
package struct RateLimit: Sendable, Hashable {
    package enum Period: String, Sendable, CaseIterable {
        case second = "s"
        case minute = "m"
        case hour = "h"
        case day = "d"

        /// Length in nanoseconds.
        package var length: UInt64 {
            switch self {
            case .second: 1_000_000_000
            case .minute: 60_000_000_000
            case .hour: 3_600_000_000_000
            case .day: 86_400_000_000_000
            }
        }

        /// Name of the period in messages.
        package var word: String {
            switch self {
            case .second: "second"
            case .minute: "minute"
            case .hour: "hour"
            case .day: "day"
            }
        }
    }

    /// Count from 1 to 1,000,000,000,000.
    package var count: Int
    package var period: Period

    package init(_ count: Int, per period: Period) {
        self.count = count
        self.period = period
    }
}

extension RateLimit {
    static let expected = "a rate such as 60/m, 200k/m or 5M/d (a number, perhaps with k or M, per s, m, h or d)"

    init(parsing text: String) throws(InvalidValue) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, let period = Period(rawValue: String(Substring(parts[1]))) else {
            throw InvalidValue("expected \(RateLimit.expected)")
        }
        guard let count = WholeNumber.scaled(parts[0], upTo: 1_000_000_000_000), count > 0 else {
            throw InvalidValue("expected \(RateLimit.expected)")
        }
        self.init(count, per: period)
    }
}
