/// A 64-bit hash that is the same in every process, so that replicas agree. It does not resist intentional collisions.
package struct StableHash {
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64 = 0x2545_F491_4F6C_DD1D

    package init() {}

    /// Adds one piece. The boundaries of pieces affect the hash.
    package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        combine(UInt64(bytes.count))
        var offset = 0
        while offset + 8 <= bytes.count {
            combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        combine(rest)
    }

    package mutating func combine(_ text: String) {
        var text = text
        text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
    }

    package mutating func combine(_ word: UInt64) {
        let product = (state ^ word).multipliedFullWidth(by: StableHash.step)
        state = (product.high ^ product.low) &+ StableHash.step
    }

    /// The hash, mixed so that every bit depends on every other (the finalizer of SplitMix64).
    package var value: UInt64 {
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package static func of(_ text: String) -> UInt64 {
        var hash = StableHash()
        hash.combine(text)
        return hash.value
    }
}
