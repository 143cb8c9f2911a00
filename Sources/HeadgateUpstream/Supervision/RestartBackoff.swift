/// Pauses before a failed program is restarted: 0.5 s, doubled after each further failure, at most 30 s.
struct RestartBackoff: Equatable {
    private(set) var failures = 0

    /// Counts a failure.
    ///
    /// - Returns: the nanoseconds to wait.
    mutating func next() -> UInt64 {
        let milliseconds = min(30_000, 500 << min(failures, 6))
        failures += 1
        return UInt64(milliseconds) * 1_000_000
    }

    mutating func reset() { failures = 0 }
}
