/// Passes a number of lines per second and counts the rest, so that a program that writes without end does not fill the
/// log.
struct OutputLimit {
    private let linesPerSecond: Int
    private var second: UInt64 = 0
    private var lines = 0
    private var leftOut = 0

    init(linesPerSecond: Int = 50) { self.linesPerSecond = linesPerSecond }

    /// Whether a line may pass.
    ///
    /// - Parameter now: monotonic nanoseconds.
    mutating func admit(at now: UInt64) -> Bool {
        if now / 1_000_000_000 != second {
            second = now / 1_000_000_000
            lines = 0
        }
        lines += 1
        if lines > linesPerSecond { leftOut += 1 }
        return lines <= linesPerSecond
    }

    /// Returns the number of lines left out since the last call.
    mutating func takeLeftOut() -> Int {
        defer { leftOut = 0 }
        return leftOut
    }
}
