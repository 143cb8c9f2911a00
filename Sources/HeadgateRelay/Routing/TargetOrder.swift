internal import HeadgateConfiguration
internal import HeadgateLibC
internal import HeadgatePrimitives

/// The properties of a target that determine its place in the order.
struct TargetCandidate {
    /// Weight of the target, above zero.
    let weight: Int
    /// Whether the target is healthy, can be reached, and has a usable key.
    let isUsable: Bool
    let requestsInFlight: Int
    /// Average time to first content, in nanoseconds; nil if unknown. An unknown time counts as the fastest, so that
    /// the target is tried.
    let averageTime: UInt64?
    /// Hash of the target's name (``TargetName/stableHash``).
    let nameHash: UInt64
    var listing = Listing.unknown

    /// Whether the upstream's list contains the model.
    enum Listing { case listed, unlisted, unknown }

    /// Rank of the target; lower ranks are tried earlier. Among usable targets, those that list the model come first.
    /// Targets whose list lacks the model come last, usable or not, because their refusal would cost an attempt.
    fileprivate var rank: Int {
        switch listing {
        case .listed: isUsable ? 0 : 2
        case .unknown: isUsable ? 1 : 3
        case .unlisted: isUsable ? 4 : 5
        }
    }
}

/// The order in which a request tries its targets: usable targets first, unless they lack the model. Pure.
struct TargetOrder {
    private struct Place {
        let index: Int
        let isUsable: Bool
        let rank: Int
        let score: Double
        let tieBreak: Double
    }

    private var places: [Place] = []

    /// Indices of the targets, first to last. Valid until the next ``arrange(_:by:affinity:random:)``.
    var indices: some RandomAccessCollection<Int> { places.lazy.map(\.index) }

    /// Computes the order of the targets.
    ///
    /// - Parameters:
    ///   - targets: the targets in the order of the configuration.
    ///   - affinity: the affinity key of the request; nil to let `choice` decide. All requests of a key go to the same
    ///     target while it is usable.
    ///   - random: returns 64 new random bits on each call.
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

    /// Returns the score of a target; lower scores are tried earlier.
    private static func score(
        _ target: TargetCandidate, _ index: Int, _ choice: TargetChoice, _ affinity: UInt64?,
        _ random: () -> UInt64
    ) -> (score: Double, tieBreak: Double) {
        let weight = Double(max(target.weight, 1))
        if let affinity {
            // Weighted rendezvous hashing: removing a target moves only its own keys.
            var hash = StableHash()
            hash.combine(affinity)
            hash.combine(target.nameHash)
            return (-log(unit(hash.value)) / weight, 0)
        }
        switch choice {
        case .first: return (Double(index), 0)
        // Sorted by exponentially distributed values, each target comes first in proportion to its weight.
        case .weighted, .fastest: return (-log(unit(random())) / weight, 0)
        // Equally busy targets are ordered at random.
        case .leastBusy: return (Double(target.requestsInFlight) / weight, -log(unit(random())) / weight)
        }
    }

    /// Maps bits to a number above 0 and below 1.
    private static func unit(_ bits: UInt64) -> Double { (Double(bits >> 11) + 0.5) * 0x1p-53 }

    /// Sorts by insertion, which allocates nothing and suits the small number of targets.
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

    /// Moves the faster of the first two targets to the front. The order is random so far, so these are two random
    /// choices.
    private mutating func preferFaster(of targets: some Collection<TargetCandidate>) {
        guard places.count > 1, places[0].isUsable, places[0].rank == places[1].rank else { return }
        func time(_ place: Int) -> UInt64 {
            targets[targets.index(targets.startIndex, offsetBy: places[place].index)].averageTime ?? 0
        }
        if time(1) < time(0) { places.swapAt(0, 1) }
    }
}
