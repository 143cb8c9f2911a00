internal import Synchronization

/// An exponentially weighted moving average of durations that forgets: without a sample for a minute it has no value,
/// and the next sample begins a new one. One word, which every loop reads and writes. Instants and durations are in
/// nanoseconds.
struct MovingAverage: ~Copyable, Sendable {
    /// A sample counts for a fifth.
    private static let weight: UInt64 = 5
    /// How long a sample counts.
    static let memory: UInt64 = 60_000_000_000

    /// Upper half: microseconds. Lower half: the instant of the last sample, in tenths of a second. Zero without one.
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
        // Another loop's instant may be a little later.
        bits != 0 && tenths(now) <= (bits & 0xFFFF_FFFF) + tenths(memory)
    }

    private static func tenths(_ nanoseconds: UInt64) -> UInt64 { nanoseconds / 100_000_000 & 0xFFFF_FFFF }
}
