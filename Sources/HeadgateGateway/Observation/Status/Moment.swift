internal import HeadgateRelay

/// One moment on both clocks. The gateway stores its state in monotonic time, and shows people real time.
struct Moment: Sendable {
    /// Nanoseconds since 1970.
    let realtime: Int64
    /// Monotonic nanoseconds.
    let monotonic: UInt64

    /// Converts a monotonic instant to real time.
    ///
    /// - Parameter instant: monotonic nanoseconds.
    /// - Returns: nanoseconds since 1970.
    func realtime(of instant: UInt64) -> Int64 {
        realtime &+ Int64(truncatingIfNeeded: instant &- monotonic)
    }
}
