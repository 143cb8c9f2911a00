internal import Synchronization

/// The most recent durations of an operation, for percentiles. The state is atomic, because all event loops read and
/// write it. Instants and durations are in nanoseconds.
final class RecentTimes: Sendable {
    /// Number of stored durations.
    static let count = 100
    /// Minimum number of durations for a percentile.
    static let least = 20
    /// Time after which a duration expires.
    static let memory: UInt64 = 600_000_000_000

    private final class Place: Sendable {
        /// The duration in microseconds, at least 1 (upper half), and its instant in tenths of a second (lower half).
        /// Zero if the place is free.
        let bits = Atomic<UInt64>(0)
    }

    private let places = (0..<RecentTimes.count).map { _ in Place() }
    private let noted = Atomic<Int>(0)

    /// Stores a duration, replacing the oldest one.
    func note(_ duration: UInt64, at now: UInt64) {
        let place = noted.add(1, ordering: .relaxed).oldValue % RecentTimes.count
        let microseconds = max(1, min(duration / 1000, UInt64(UInt32.max)))
        places[place].bits.store(microseconds << 32 | RecentTimes.tenths(now), ordering: .relaxed)
    }

    /// Returns the percentile `share` of the recent durations: the shortest duration that `share` percent of them do
    /// not exceed; nil if there are too few.
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

/// Recent times that requests for a model took from the send to the first content.
final class FirstContentTimes: Sendable {
    let ofStreams = RecentTimes()
    let ofDocuments = RecentTimes()
}
