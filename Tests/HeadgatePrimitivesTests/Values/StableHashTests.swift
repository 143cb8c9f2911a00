import Testing

@testable import HeadgatePrimitives

@Suite struct StableHashTests {
    /// Replicas of different versions must compute the same hashes.
    @Test func itNeverChanges() {
        #expect(StableHash.of("") == 895_779_366_696_964_223)
        #expect(StableHash.of("conversation") == 7_844_937_302_651_038_806)
    }

    @Test func everyByteAndEveryBoundaryCounts() {
        var seen: Set<UInt64> = []
        for length in 0...40 {
            let bytes = [UInt8](repeating: 0, count: length)
            var hash = StableHash()
            bytes.withUnsafeBytes { hash.combine($0) }
            seen.insert(hash.value)
            for index in bytes.indices {
                var changed = bytes
                changed[index] = 1
                var hash = StableHash()
                changed.withUnsafeBytes { hash.combine($0) }
                seen.insert(hash.value)
            }
        }
        #expect(seen.count == 41 + 40 * 41 / 2)
    }
}
