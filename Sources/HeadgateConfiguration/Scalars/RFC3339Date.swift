/// Parses an RFC 3339 date (the start of that day in UTC) or date-time (section 5.6) as Unix seconds.
package enum RFC3339Date {
    static let expected = "a date such as 2027-01-01 or 2027-01-01T12:00:00Z"

    /// Returns Unix seconds. Fractions of a second are cut off. Leap seconds are rejected, because Unix time has none.
    package static func unixSeconds(_ text: String) throws(InvalidValue) -> Int64 {
        guard let seconds = parse(Array(text.utf8)) else { throw InvalidValue("expected \(expected)") }
        return seconds
    }

    private static func parse(_ bytes: [UInt8]) -> Int64? {
        guard matches(bytes.prefix(10), "0000-00-00") else { return nil }
        let (year, month, day) = (number(bytes[0..<4]), number(bytes[5..<7]), number(bytes[8..<10]))
        guard (1...12).contains(month), (1...dayCount(year: year, month: month)).contains(day) else { return nil }
        let midnight = Int64(daysSinceEpoch(year: year, month: month, day: day)) * 86_400
        if bytes.count == 10 { return midnight }

        guard bytes[10] | 0x20 == UInt8(ascii: "t"), matches(bytes.dropFirst(11).prefix(8), "00:00:00") else {
            return nil
        }
        let (hour, minute, second) = (number(bytes[11..<13]), number(bytes[14..<16]), number(bytes[17..<19]))
        guard hour < 24, minute < 60, second < 60 else { return nil }
        var rest = bytes[19...]
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: ASCII.isDigit)
            guard !fraction.isEmpty else { return nil }
            rest = rest.dropFirst(1 + fraction.count)
        }
        guard let offset = offset(rest) else { return nil }
        return midnight + Int64(hour * 3600 + minute * 60 + second) - offset
    }

    private static func offset(_ zone: ArraySlice<UInt8>) -> Int64? {
        if zone.count == 1, zone.first.map({ $0 | 0x20 }) == UInt8(ascii: "z") { return 0 }
        guard zone.count == 6, matches(zone.dropFirst(), "00:00") else { return nil }
        let hour = number(zone.dropFirst().prefix(2))
        let minute = number(zone.suffix(2))
        guard hour < 24, minute < 60 else { return nil }
        let seconds = Int64(hour * 3600 + minute * 60)
        switch zone.first {
        case UInt8(ascii: "+"): return seconds
        case UInt8(ascii: "-"): return -seconds
        default: return nil
        }
    }

    /// Returns whether the bytes match the pattern, in which `0` is any digit.
    private static func matches(_ bytes: ArraySlice<UInt8>, _ pattern: String) -> Bool {
        bytes.count == pattern.utf8.count
            && zip(bytes, pattern.utf8).allSatisfy { byte, form in
                form == UInt8(ascii: "0") ? ASCII.isDigit(byte) : byte == form
            }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func dayCount(year: Int, month: Int) -> Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Returns the days since 1970 in the proleptic Gregorian calendar. The year is counted from March, so that the
    /// leap day comes last.
    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let monthsSinceMarch = (month + 9) % 12
        let cycle = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfCycle = marchYear - cycle * 400
        let dayOfYear = (153 * monthsSinceMarch + 2) / 5 + day - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        return cycle * 146_097 + dayOfCycle - 719_468
    }
}
