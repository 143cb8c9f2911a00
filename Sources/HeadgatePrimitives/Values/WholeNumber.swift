/// Plain decimal digits: no sign, no separators, no other base.
package enum WholeNumber {
    /// Reads at most 15 digits, so that the product with any unit fits into an `Int`; returns nil for anything else.
    package static func digits(_ bytes: Substring.UTF8View) -> Int? {
        guard !bytes.isEmpty, bytes.count <= 15 else { return nil }
        var number = 0
        for byte in bytes {
            guard byte &- 0x30 < 10 else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }
}

extension Duration {
    /// The duration in nanoseconds; 0 for a negative one.
    package var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(clamping: seconds) * 1_000_000_000 + UInt64(clamping: attoseconds / 1_000_000_000)
    }
}
