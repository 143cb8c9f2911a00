import HeadgateConfiguration
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct TargetOrderTests {
    private var random = SeededGenerator(state: 14)
    private var order = TargetOrder()

    private func target(
        _ name: String, weight: Int = 1, isUsable: Bool = true, inFlight: Int = 0, average: UInt64? = nil
    ) -> TargetCandidate {
        TargetCandidate(
            weight: weight, isUsable: isUsable, requestsInFlight: inFlight, averageTime: average,
            nameHash: TargetName(upstream: name, model: "m").stableHash)
    }

    private mutating func arranged(
        _ targets: [TargetCandidate], _ choice: TargetChoice, affinity: UInt64? = nil
    ) -> [Int] {
        order.arrange(targets, by: choice, affinity: affinity, random: { random.next() })
        return Array(order.indices)
    }

    /// Returns how often each target comes first.
    private mutating func firsts(
        _ targets: [TargetCandidate], _ choice: TargetChoice, of count: Int = 10_000
    ) -> [Int] {
        var firsts = targets.map { _ in 0 }
        for _ in 0..<count { firsts[arranged(targets, choice)[0]] += 1 }
        return firsts
    }

    @Test(arguments: TargetChoice.allCases, [nil, 7 as UInt64])
    mutating func targetsThatListTheModelPrecedeUnknownOnes(_ choice: TargetChoice, _ affinity: UInt64?) {
        var targets = [(TargetCandidate.Listing.unlisted, true), (.unknown, false), (.listed, false), (.unknown, true)]
            .map { listing, isUsable in
                var target = target("\(listing)\(isUsable)", isUsable: isUsable)
                target.listing = listing
                return target
            }
        #expect(arranged(targets, choice, affinity: affinity) == [3, 2, 1, 0])
        targets.append(target("listed"))
        targets[4].listing = .listed
        #expect(arranged(targets, choice, affinity: affinity) == [4, 3, 2, 1, 0])
    }

    @Test(arguments: TargetChoice.allCases, [nil, 7 as UInt64])
    mutating func everyTargetComesOnceAndUsableOnesFirst(_ choice: TargetChoice, _ affinity: UInt64?) {
        for _ in 0..<500 {
            let targets = (0..<Int.random(in: 0...6, using: &random)).map { index in
                target(
                    "\(index)", weight: .random(in: 1...9, using: &random), isUsable: .random(using: &random),
                    inFlight: .random(in: 0...3, using: &random),
                    average: Bool.random(using: &random) ? .random(in: 1...9, using: &random) : nil)
            }
            let arranged = arranged(targets, choice, affinity: affinity)
            #expect(arranged.sorted() == Array(targets.indices))
            let usable = arranged.map { targets[$0].isUsable }
            #expect(usable == usable.sorted { $0 && !$1 })
        }
    }

    @Test mutating func firstKeepsTheOrderOfTheConfiguration() {
        let targets = [target("a", isUsable: false), target("b"), target("c", isUsable: false), target("d", weight: 9)]
        #expect(arranged(targets, .first) == [1, 3, 0, 2])
    }

    // MARK: Weighted

    @Test mutating func sharesFollowTheWeights() {
        let firsts = firsts([target("a", weight: 3), target("b")], .weighted)
        #expect(abs(firsts[0] - 7500) < 200)
    }

    @Test mutating func remainingSharesFollowTheWeightsToo() {
        let targets = [target("a", weight: 6), target("b", weight: 3), target("c")]
        var seconds = [0, 0, 0]
        var count = 0
        for _ in 0..<20_000 {
            let arranged = arranged(targets, .weighted)
            guard arranged[0] == 0 else { continue }
            seconds[arranged[1]] += 1
            count += 1
        }
        #expect(abs(Double(seconds[1]) / Double(count) - 0.75) < 0.02)
    }

    // MARK: Least busy

    @Test mutating func leastLoadedByWeightComesFirst() {
        let targets = [target("a", inFlight: 2), target("b", weight: 4, inFlight: 4), target("c", inFlight: 3)]
        #expect(arranged(targets, .leastBusy) == [1, 0, 2])
    }

    @Test mutating func equallyBusyOnesShareByWeight() {
        let firsts = firsts([target("a", weight: 3), target("b"), target("c", inFlight: 1)], .leastBusy)
        #expect(abs(firsts[0] - 7500) < 200 && firsts[2] == 0)
    }

    // MARK: Fastest

    @Test mutating func fasterOfTwoComesFirst() {
        let targets = [target("a", average: 900), target("b", average: 300)]
        #expect(firsts(targets, .fastest, of: 100) == [0, 100])
    }

    @Test mutating func fasterOfTwoRandomTargetsComesFirst() {
        let firsts = firsts((1...4).map { target("\($0)", average: $0 * 100) }, .fastest)
        // The fastest target wins three of the six pairs, the second two, and the third one.
        for (share, expected) in zip(firsts, [5000, 3333, 1667, 0]) { #expect(abs(share - expected) < 200) }
    }

    @Test mutating func unknownSpeedIsTried() {
        let targets = [target("a", average: 1), target("b")]
        #expect(firsts(targets, .fastest, of: 100) == [0, 100])
    }

    @Test mutating func unusableFasterTargetDoesNotCount() {
        let targets = [target("a", average: 900), target("b", isUsable: false, average: 1)]
        #expect(firsts(targets, .fastest, of: 100) == [100, 0])
    }

    // MARK: Affinity

    private let keys = (0..<10_000).map { StableHash.of("conversation \($0)") }

    private mutating func places(_ targets: [TargetCandidate]) -> [Int] {
        keys.map { arranged(targets, .weighted, affinity: $0)[0] }
    }

    @Test mutating func affinitySharesFollowTheWeights() {
        let places = places([target("a", weight: 3), target("b")])
        #expect(abs(places.count { $0 == 0 } - 7500) < 200)
    }

    @Test mutating func sameKeyHasTheSameTargetInAnyOrder() {
        let targets = [target("a", weight: 2), target("b"), target("c", weight: 3)]
        let places = places(targets)
        #expect(self.places(targets) == places)
        #expect(self.places(targets.reversed()).map { 2 - $0 } == places)
    }

    @Test(arguments: 2...6) mutating func onlyKeysOfARemovedTargetMove(count: Int) {
        let before = (0..<count).map { target("upstream \($0)") }
        let places = places(before)
        for gone in before.indices {
            var after = before
            after[gone] = target("upstream \(gone)", isUsable: false)
            let now = self.places(after)
            let moved = zip(places, now).filter { $0 != $1 }
            #expect(moved.allSatisfy { $0.0 == gone })
            #expect(moved.count == places.count { $0 == gone })
            #expect(moved.count <= keys.count / count + keys.count / 50)
        }
    }
}
