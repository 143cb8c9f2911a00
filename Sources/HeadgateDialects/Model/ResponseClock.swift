/// Clock for formats that report the duration of a response.
///
/// All clocks are equal, because responses that differ only in their times are the same.
package struct ResponseClock: Equatable, Sendable {
    /// When the request was sent, in nanoseconds since 1970.
    package let startedAt: Int64
    /// Returns the current time in nanoseconds since 1970.
    let now: @Sendable () -> Int64
    /// Appends a time, given in nanoseconds since 1970, in the format of RFC 3339.
    let write: @Sendable (Int64, inout [UInt8]) -> Void

    /// Creates a clock that does not move.
    init() { self.init(startedAt: 0, now: { 0 }, write: { $1 += "1970-01-01T00:00:00Z".utf8 }) }

    package init(
        startedAt: Int64, now: @escaping @Sendable () -> Int64,
        write: @escaping @Sendable (Int64, inout [UInt8]) -> Void
    ) {
        self.startedAt = startedAt
        self.now = now
        self.write = write
    }

    package static func == (_: ResponseClock, _: ResponseClock) -> Bool { true }
}
