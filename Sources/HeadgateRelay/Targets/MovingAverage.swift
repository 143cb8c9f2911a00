internal import Synchronization

/// An exponentially weighted moving average of durations that expires. After a minute without a sample it has no value,
/// and the next sample starts a new average. It is one atomic word, which all event loops read and write. Instants and
/// durations are in nanoseconds.
struct MovingAverage: ~Copyable, Sendable {
    /// Divisor of a new sample, which contributes a fifth to the average.
    private static let weight: UInt64 = 5
    /// Time after the last sample at which the average expires.
    static let memory: UInt64 = 60_000_000_000

    /// The average in microseconds (upper half) and the instant of the last sample in tenths of a second (lower half).
    /// Zero before the first sample.
    private let bits = Atomic<UInt64>(0)

    func note(_ duration: UInt64, at now: UInt64) {
        let sample = max(1, min(duration / 1000, UInt64(UInt32.max)))
        var old = bits.load(ordering: .relaxed)
        while true {
            let average =
                MovingAverage.isRecent(old, at: now)
                ? ((old >> 32) * (MovingAverage.weight - 1) + sample) / MovingAverage.weight : sample
            let new = max(1, average) << 32 | MovingAverage.tenths(now)
            let (exchanged, original) = bits.compareExchange(expected: old, desired: new, ordering: .relaxed)
            if exchanged { return }
            old = original
        }
    }

    func value(at now: UInt64) -> UInt64? {
        let bits = bits.load(ordering: .relaxed)
        return MovingAverage.isRecent(bits, at: now) ? (bits >> 32) * 1000 : nil
    }

    private static func isRecent(_ bits: UInt64, at now: UInt64) -> Bool {
        // The instant of another event loop can be slightly later.
        bits != 0 && tenths(now) <= (bits & 0xFFFF_FFFF) + tenths(memory)
    }

    private static func tenths(_ nanoseconds: UInt64) -> UInt64 { nanoseconds / 100_000_000 & 0xFFFF_FFFF }
}
