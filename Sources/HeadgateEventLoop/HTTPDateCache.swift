internal import HeadgatePrimitives

/// The `Date` field for the current time in the fixed format of RFC 9110 5.6.7, made at most once per second.
struct HTTPDateCache {
    private var second: Int64 = -1
    private var line: [UInt8] = []

    /// From the line end before it.
    mutating func line(at second: Int64) -> [UInt8] {
        if second != self.second {
            self.second = second
            line = Array("\r\nDate: \(HTTPDate.text(second))".utf8)
        }
        return line
    }
}
