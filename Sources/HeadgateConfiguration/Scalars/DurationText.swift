internal import HeadgatePrimitives

/// Parses durations such as `250ms`, `5s`, `2m` and `1h`: a whole number and one unit, above zero, at most 24 hours.
enum DurationText {
    static let expected = "a duration such as 250ms, 5s, 2m or 1h (above zero, at most 24h)"

    static func parse(_ text: String) throws(InvalidValue) -> Duration {
        let bytes = text.utf8[...]
        let digits = bytes.prefix(while: ASCII.isDigit)
        let unit = String(bytes.dropFirst(digits.count)) ?? ""
        let milliseconds = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000][unit]
        guard let milliseconds, let count = WholeNumber.digits(digits) else {
            throw InvalidValue("expected \(expected)")
        }
        let (product, overflow) = count.multipliedReportingOverflow(by: milliseconds)
        guard !overflow, (1...86_400_000).contains(product) else { throw InvalidValue("expected \(expected)") }
        return .milliseconds(product)
    }

    static let expectedLifetime = "a duration such as 30m, 12h or 30d (from 1m to 365d)"

    /// Parses a lifetime from one minute to 365 days.
    static func parseLifetime(_ text: String) throws(InvalidValue) -> Duration {
        let bytes = text.utf8[...]
        let digits = bytes.prefix(while: ASCII.isDigit)
        let seconds = ["s": 1, "m": 60, "h": 3_600, "d": 86_400][String(bytes.dropFirst(digits.count)) ?? ""]
        guard let seconds, let count = WholeNumber.digits(digits) else {
            throw InvalidValue("expected \(expectedLifetime)")
        }
        let (product, overflow) = count.multipliedReportingOverflow(by: seconds)
        guard !overflow, (60...365 * 86_400).contains(product) else {
            throw InvalidValue("expected \(expectedLifetime)")
        }
        return .seconds(product)
    }

    static let expectedSeconds = "a duration such as 5s, 2m or 1h (at least 1s, at most 24h)"

    /// Parses a duration for which less than one second would be a mistake.
    static func parseSeconds(_ text: String) throws(InvalidValue) -> Duration {
        guard let duration = try? parse(text), duration >= .seconds(1) else {
            throw InvalidValue("expected \(expectedSeconds)")
        }
        return duration
    }
}
