internal import Glibc
internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// A target as the choice sees it.
package struct TargetCandidate {
    /// Above zero.
    let weight: Int
    /// Whether it is healthy and can be reached.
    let isUsable: Bool
    let requestsInFlight: Int
    /// Nanoseconds to its first content; nil when unknown, which counts as fastest, so that it is tried.
    let averageTime: UInt64?
    /// Of its name (``TargetName/stableHash``).
    let nameHash: UInt64
    var listing = Listing.unknown

    /// What its upstream's list says about the model.
    package enum Listing { case listed, unlisted, unknown }

    /// Lower is tried earlier. One that lists the model comes first among those that are usable; one that does not have
    /// it comes last, usable or not: its refusal would cost an attempt.
    fileprivate var rank: Int {
        switch listing {
        case .listed: isUsable ? 0 : 2
        case .unknown: isUsable ? 1 : 3
        case .unlisted: isUsable ? 4 : 5
        }
    }
}

/// The order in which a request tries its targets: usable ones before others, as far as they have the model. Pure.
struct TargetOrder {
    private struct Place {
        let index: Int
        let isUsable: Bool
        let rank: Int
        let score: Double
        let tieBreak: Double
    }

    private var places: [Place] = []

    /// Of the targets, first to last. Valid until the next ``arrange(_:by:affinity:random:)``.
    var indices: some RandomAccessCollection<Int> { places.lazy.map(\.index) }

    /// - Parameters:
    ///   - targets: in the order of the configuration.
    ///   - affinity: a key whose requests all go to the same target while that is usable; nil lets `choice` decide.
    ///   - random: 64 bits, other ones each time.
    mutating func arrange(
        _ targets: some Collection<TargetCandidate>, by choice: TargetChoice, affinity: UInt64?,
        random: () -> UInt64
    ) {
        places.removeAll(keepingCapacity: true)
        places.reserveCapacity(targets.count)
        for (index, target) in targets.enumerated() {
            let (score, tieBreak) = TargetOrder.score(target, index, choice, affinity, random)
            places.append(
                Place(
                    index: index, isUsable: target.isUsable, rank: target.rank, score: score, tieBreak: tieBreak))
        }
        sort()
        if affinity == nil, case .fastest = choice { preferFaster(of: targets) }
    }

    /// Lower is earlier.
    private static func score(
        _ target: TargetCandidate, _ index: Int, _ choice: TargetChoice, _ affinity: UInt64?,
        _ random: () -> UInt64
    ) -> (score: Double, tieBreak: Double) {
        let weight = Double(max(target.weight, 1))
        if let affinity {
            // Weighted rendezvous hashing: a target that goes takes only its own keys with it.
            var hash = StableHash()
            hash.combine(affinity)
            hash.combine(target.nameHash)
            return (-log(unit(hash.value)) / weight, 0)
        }
        switch choice {
        case .first: return (Double(index), 0)
        // Sorted by exponentially distributed values, each comes first as often as its weight says.
        case .weighted, .fastest: return (-log(unit(random())) / weight, 0)
        // Of equally busy ones at random.
        case .leastBusy: return (Double(target.requestsInFlight) / weight, -log(unit(random())) / weight)
        }
    }

    /// Above 0 and below 1.
    private static func unit(_ bits: UInt64) -> Double { (Double(bits >> 11) + 0.5) * 0x1p-53 }

    /// By insertion: there are few, and it allocates nothing.
    private mutating func sort() {
        for end in places.indices.dropFirst() {
            let place = places[end]
            var hole = end
            while hole > 0, TargetOrder.isBefore(place, places[hole - 1]) {
                places[hole] = places[hole - 1]
                hole -= 1
            }
            places[hole] = place
        }
    }

    private static func isBefore(_ left: Place, _ right: Place) -> Bool {
        (left.rank, left.score, left.tieBreak) < (right.rank, right.score, right.tieBreak)
    }

    /// The order is random so far: its first two are the two choices.
    private mutating func preferFaster(of targets: some Collection<TargetCandidate>) {
        guard places.count > 1, places[0].isUsable, places[0].rank == places[1].rank else { return }
        func time(_ place: Int) -> UInt64 {
            targets[targets.index(targets.startIndex, offsetBy: places[place].index)].averageTime ?? 0
        }
        if time(1) < time(0) { places.swapAt(0, 1) }
    }
}
