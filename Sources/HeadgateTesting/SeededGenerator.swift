internal import HeadgateLibC

/// A SplitMix64 generator, which produces the same values in every run.
package struct SeededGenerator: RandomNumberGenerator {
    /// The factor for the number of inputs of long property tests: `HEADGATE_TEST_ROUNDS`, or 1 if it is not set.
    package static let rounds = getenv("HEADGATE_TEST_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 1

    private var state: UInt64

    package init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
