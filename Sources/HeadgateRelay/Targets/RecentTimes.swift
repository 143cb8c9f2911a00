internal import Synchronization

/// The last durations of something, for their percentiles. Atomics: every loop reads and writes. Instants and durations
/// are in nanoseconds.
final class RecentTimes: Sendable {
    /// How many are kept.
    static let count = 100
    /// Without so many there is no percentile.
    static let least = 20
    /// How long one counts.
    static let memory: UInt64 = 600_000_000_000

    private final class Place: Sendable {
        /// Upper half: microseconds, at least 1. Lower half: the instant, in tenths of a second. Zero while it is free.
        let bits = Atomic<UInt64>(0)
    }

    private let places = (0..<RecentTimes.count).map { _ in Place() }
    private let noted = Atomic<Int>(0)

    /// The oldest makes room.
    func note(_ duration: UInt64, at now: UInt64) {
        let place = noted.add(1, ordering: .relaxed).oldValue % RecentTimes.count
        let microseconds = max(1, min(duration / 1000, UInt64(UInt32.max)))
        places[place].bits.store(microseconds << 32 | RecentTimes.tenths(now), ordering: .relaxed)
    }

    /// The shortest duration that so many of a hundred do not exceed; nil while too few are known.
    func percentile(_ share: Int, at now: UInt64) -> UInt64? {
        let times = places.compactMap { place -> UInt64? in
            let bits = place.bits.load(ordering: .relaxed)
            let end = bits & 0xFFFF_FFFF + RecentTimes.tenths(RecentTimes.memory)
            return bits != 0 && RecentTimes.tenths(now) <= end ? bits >> 32 : nil
        }
        guard times.count >= RecentTimes.least else { return nil }
        return times.sorted()[(times.count * share + 99) / 100 - 1] * 1000
    }

    private static func tenths(_ nanoseconds: UInt64) -> UInt64 { nanoseconds / 100_000_000 & 0xFFFF_FFFF }
}

/// How long requests for a model took, from the send to the first content.
final class FirstContentTimes: Sendable {
    let ofStreams = RecentTimes()
    let ofDocuments = RecentTimes()
}
