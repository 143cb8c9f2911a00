/// The character classes of RFC 9110 and 9112, as tests on single octets.
enum ByteClass {
    /// `tchar` (RFC 9110 5.6.2) as a bitmap over the 128 ASCII octets.
    private static let tokenBits: (UInt64, UInt64) = {
        var low: UInt64 = 0
        var high: UInt64 = 0
        for byte in "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
        return (low, high)
    }()

    static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return false }
        let (low, high) = tokenBits
        for byte in bytes {
            let bits = byte < 64 ? low : high
            guard byte < 128, bits & (1 << UInt64(byte & 63)) != 0 else { return false }
        }
        return true
    }

    static func isToken(_ byte: UInt8) -> Bool {
        let (low, high) = tokenBits
        return byte < 128 && (byte < 64 ? low : high) & (1 << UInt64(byte & 63)) != 0
    }

    /// What a field value may hold: visible octets, SP, HTAB and octets above 0x7f; not 0x7f and no other control (RFC 9110 5.5).
    static func isFieldContent(_ byte: UInt8) -> Bool {
        byte >= 0x20 ? byte != 0x7f : byte == 0x09
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    static func hexValue(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte - 0x30)
        case 0x41...0x46: Int(byte - 0x41) + 10
        case 0x61...0x66: Int(byte - 0x61) + 10
        default: nil
        }
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    static func equals(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count where bytes[index] != text.utf8Start[index] { return false }
        return true
    }

    /// Whether the octets equal the given lower-case ASCII text, ignoring case.
    static func equalsIgnoringCase(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count where lowercased(bytes[index]) != text.utf8Start[index] { return false }
        return true
    }
}

extension UnsafeRawBufferPointer {
    /// The same memory, narrowed.
    @inline(__always)
    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }

    /// Without SP and HTAB at both ends (`OWS`).
    func trimmingWhitespace() -> UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return slice(start..<end)
    }
}
