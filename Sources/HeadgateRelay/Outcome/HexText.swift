/// Numbers as lower-case hexadecimal digits.
enum HexText {
    /// Returns 16 digits.
    static func digits(_ number: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { text in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * index)) & 0x0F
                text[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 16
        }
    }

    /// Reads lower-case hexadecimal digits; nil if there is any other character.
    ///
    /// - Parameter text: at most 16 digits.
    static func number(_ text: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }
}
