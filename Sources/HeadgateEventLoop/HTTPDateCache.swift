internal import HeadgatePrimitives

/// `Date` header for the current time in the fixed format of RFC 9110 5.6.7, created at most once per second.
struct HTTPDateCache {
    private var second: Int64 = -1
    private var line: [UInt8] = []

    /// Returns the line, from the line end before it.
    mutating func line(at second: Int64) -> [UInt8] {
        if second != self.second {
            self.second = second
            line = Array("\r\nDate: \(HTTPDate.text(second))".utf8)
        }
        return line
    }
}
