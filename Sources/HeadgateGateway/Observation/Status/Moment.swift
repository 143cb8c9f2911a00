internal import HeadgateRelay

/// One moment on both clocks: the state of the gateway is kept in monotonic time, and people are told the other one.
struct Moment: Sendable {
    /// Nanoseconds since 1970.
    let realtime: Int64
    /// Nanoseconds.
    let monotonic: UInt64

    /// - Parameter instant: monotonic nanoseconds.
    /// - Returns: nanoseconds since 1970.
    func realtime(of instant: UInt64) -> Int64 {
        realtime &+ Int64(truncatingIfNeeded: instant &- monotonic)
    }
}
