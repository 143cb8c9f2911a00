/// The well-formed sequences of UTF-8 outside ASCII (Unicode 3.9, table 3-7), and the repair of ill-formed ones.
package enum UTF8Sequence {
    /// Returns the properties of a first byte: the valid second bytes, and the length of the sequence.
    @inline(__always)
    static func of(_ first: UInt8) -> (second: ClosedRange<UInt8>, length: Int)? {
        switch first {
        case 0xC2...0xDF: (0x80...0xBF, 2)
        case 0xE0: (0xA0...0xBF, 3)
        case 0xED: (0x80...0x9F, 3)
        case 0xE1...0xEF: (0x80...0xBF, 3)
        case 0xF0: (0x90...0xBF, 4)
        case 0xF1...0xF3: (0x80...0xBF, 4)
        case 0xF4: (0x80...0x8F, 4)
        default: nil
        }
    }

    /// Returns the text with U+FFFD for each maximal ill-formed subpart.
    ///
    /// Equivalent to `String(decoding:as:)`, which takes seconds for megabytes of invalid UTF-8.
    package static func repaired(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        // In the worst case, three bytes replace one. Capacity that is not written takes no memory.
        Array(unsafeUninitializedCapacity: bytes.count * 3) { output, count in
            var offset = 0
            while offset < bytes.count {
                let (length, isWhole) = sequence(in: bytes, at: offset)
                if isWhole {
                    for byte in offset..<offset + length { output[count + byte - offset] = bytes[byte] }
                    count += length
                } else {
                    (output[count], output[count + 1], output[count + 2]) = (0xEF, 0xBF, 0xBD)
                    count += 3
                }
                offset += length
            }
        }
    }

    /// Returns the length of the longest beginning of a character, at least one byte, and whether the character is
    /// complete.
    @inline(__always)
    private static func sequence(in bytes: UnsafeRawBufferPointer, at start: Int) -> (length: Int, isWhole: Bool) {
        if bytes[start] < 0x80 { return (1, true) }
        guard let (second, length) = of(bytes[start]), start + 1 < bytes.count, second.contains(bytes[start + 1]) else {
            return (1, false)
        }
        for offset in 2..<max(length, 2) where start + offset >= bytes.count || bytes[start + offset] & 0xC0 != 0x80 {
            return (offset, false)
        }
        return (length, true)
    }
}
