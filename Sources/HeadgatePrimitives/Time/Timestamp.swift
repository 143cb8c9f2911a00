/// Times in the format of RFC 3339, in UTC with milliseconds. They are computed without the C library.
package enum Timestamp {
    /// The length of every time stamp.
    package static let length = 24

    /// Writes a time stamp.
    ///
    /// - Parameters:
    ///   - nanoseconds: The nanoseconds since 1970, not negative.
    ///   - text: A buffer of ``length`` bytes.
    package static func write(_ nanoseconds: Int64, to text: UnsafeMutableBufferPointer<UInt8>) {
        let seconds = nanoseconds / 1_000_000_000
        let (year, month, day) = civil(fromDays: seconds / 86400)
        let time = seconds % 86400
        write(year, digits: 4, at: 0, text)
        text[4] = 0x2D
        write(month, digits: 2, at: 5, text)
        text[7] = 0x2D
        write(day, digits: 2, at: 8, text)
        text[10] = 0x54
        write(time / 3600, digits: 2, at: 11, text)
        text[13] = 0x3A
        write(time / 60 % 60, digits: 2, at: 14, text)
        text[16] = 0x3A
        write(time % 60, digits: 2, at: 17, text)
        text[19] = 0x2E
        write(nanoseconds / 1_000_000 % 1000, digits: 3, at: 20, text)
        text[23] = 0x5A
    }

    package static func append(_ nanoseconds: Int64, to line: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { text in
            write(nanoseconds, to: text)
            line.append(contentsOf: UnsafeBufferPointer(text))
        }
    }

    /// Replaces the milliseconds of a time stamp.
    ///
    /// - Parameters:
    ///   - text: A time stamp of the same second.
    ///   - nanoseconds: The nanoseconds since 1970, not negative.
    package static func replaceMilliseconds(of text: inout [UInt8], by nanoseconds: Int64) {
        text.withUnsafeMutableBufferPointer { write(nanoseconds / 1_000_000 % 1000, digits: 3, at: 20, $0) }
    }

    /// Returns a time stamp as text.
    ///
    /// - Parameter seconds: The seconds since 1970, not negative.
    package static func dateTime(_ seconds: Int64) -> String { text(seconds * 1_000_000_000) }

    /// Returns a time stamp as text.
    ///
    /// - Parameter nanoseconds: The nanoseconds since 1970, not negative.
    package static func text(_ nanoseconds: Int64) -> String {
        var text: [UInt8] = []
        append(nanoseconds, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func write(
        _ number: Int64, digits: Int, at start: Int, _ text: UnsafeMutableBufferPointer<UInt8>
    ) {
        var rest = UInt32(truncatingIfNeeded: number)
        for position in stride(from: start + digits - 1, through: start, by: -1) {
            text[position] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// Returns the proleptic Gregorian date of a day number. Years begin in March, so that the leap day comes last.
    package static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
