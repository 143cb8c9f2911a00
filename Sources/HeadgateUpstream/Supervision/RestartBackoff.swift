/// How long to wait before a program that failed is started again: 0.5 s, twice as long after each further failure, at
/// most 30 s.
struct RestartBackoff: Equatable {
    private(set) var failures = 0

    /// Counts a failure.
    ///
    /// - Returns: nanoseconds to wait.
    mutating func next() -> UInt64 {
        let milliseconds = min(30_000, 500 << min(failures, 6))
        failures += 1
        return UInt64(milliseconds) * 1_000_000
    }

    mutating func reset() { failures = 0 }
}
