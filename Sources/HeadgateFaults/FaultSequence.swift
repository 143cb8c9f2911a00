internal import HeadgatePrimitives

/// A sequence of decisions, of which a percentage is true. With a seed it is the same in each run.
package final class FaultSequence: Sendable {
    private let percent: UInt64
    private let seed: UInt64
    private let count = Locked<UInt64>(0)

    /// Creates a sequence.
    ///
    /// - Parameter seed: The seed; nil for a random one.
    package init(percent: Int, seed: Int?) {
        self.percent = UInt64(max(percent, 0))
        self.seed = seed.map { UInt64(bitPattern: Int64($0)) } ?? .random(in: 0 ... .max)
    }

    package func next() -> Bool {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return percent == 100 || FaultSequence.mixed(seed &+ number &* 0x9E37_79B9_7F4A_7C15) % 100 < percent
    }

    /// The output function of SplitMix64.
    private static func mixed(_ state: UInt64) -> UInt64 {
        var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
