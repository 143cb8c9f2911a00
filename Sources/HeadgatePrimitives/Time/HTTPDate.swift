/// The only format of dates that HTTP/1.1 senders may write (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    /// Returns a time as text.
    ///
    /// - Parameter seconds: The seconds since 1970, not negative.
    package static func text(_ seconds: Int64) -> String {
        let (year, month, day) = Timestamp.civil(fromDays: seconds / 86400)
        let time = seconds % 86400
        func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        // The first day of 1970 was a Thursday.
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int(seconds / 86400 % 7)]
        let date = "\(twoDigits(day)) \(String(decoding: months[Int(month - 1)], as: UTF8.self)) \(year)"
        let clock = "\(twoDigits(time / 3600)):\(twoDigits(time / 60 % 60)):\(twoDigits(time % 60))"
        return "\(weekday), \(date) \(clock) GMT"
    }

    /// Returns the seconds since 1970; nil for another format. The name of the day is not checked.
    package static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 29, text.hasSuffix(" GMT"), bytes[3] == 0x2C, bytes[19] == 0x3A, bytes[22] == 0x3A,
            [4, 7, 11, 16].allSatisfy({ bytes[$0] == 0x20 }),
            let month = months.firstIndex(of: Array(bytes[8..<11])),
            let day = number(bytes[5..<7], in: 1...31), let year = number(bytes[12..<16], in: 1970...9999),
            let hour = number(bytes[17..<19], in: 0...23), let minute = number(bytes[20..<22], in: 0...59),
            let second = number(bytes[23..<25], in: 0...60)
        else { return nil }
        return days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second
    }

    private static let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".utf8.split(separator: 0x20).map(
        Array.init)

    private static func number(_ digits: ArraySlice<UInt8>, in range: ClosedRange<Int64>) -> Int64? {
        var value: Int64 = 0
        for digit in digits {
            guard digit &- 0x30 < 10 else { return nil }
            value = value * 10 + Int64(digit &- 0x30)
        }
        return range.contains(value) ? value : nil
    }

    /// Returns the days since 1970. Years are counted from March, so that the leap day comes last.
    private static func days(_ year: Int64, _ monthIndex: Int, _ day: Int64) -> Int64 {
        let year = monthIndex < 2 ? year - 1 : year
        let monthFromMarch = Int64((monthIndex + 10) % 12)
        return year * 365 + year / 4 - year / 100 + year / 400 + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
    }
}
