internal import Glibc

/// The `Date` field for the current time in the fixed format of RFC 9110 5.6.7, made at most once per second.
struct HTTPDateCache {
    private var second: Int64 = -1
    private var line: [UInt8] = []

    /// From the line end before it.
    mutating func line(at second: Int64) -> [UInt8] {
        if second != self.second {
            self.second = second
            line = Array("\r\nDate: \(HTTPDateCache.format(second))".utf8)
        }
        return line
    }

    static func format(_ second: Int64) -> String {
        var time = time_t(second)
        var parts = tm()
        gmtime_r(&time, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(twoDigits(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
        let clock = "\(twoDigits(parts.tm_hour)):\(twoDigits(parts.tm_min)):\(twoDigits(parts.tm_sec))"
        return "\(days[Int(parts.tm_wday)]), \(date) \(clock) GMT"
    }
}
