/// The character classes of RFC 9110 and 9112, as tests on single octets.
enum ByteClass {
    /// `tchar` (RFC 9110 5.6.2) as a bitmap over the 128 ASCII octets: letters, digits and ``!#$%&'*+-.^_`|~``.
    private static let lowTokenBits: UInt64 = 0x03FF_6CFA_0000_0000
    private static let highTokenBits: UInt64 = 0x57FF_FFFF_C7FF_FFFE

    static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return false }
        for byte in bytes where !isToken(byte) { return false }
        return true
    }

    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? lowTokenBits : highTokenBits) & (1 << UInt64(byte & 63)) != 0
    }

    /// What a field's value is made of.
    enum FieldContent {
        case ascii
        /// Well-formed, with octets above 0x7f.
        case octets
        case invalid
    }

    /// Eight octets a step, as long as all of them are visible ASCII or SP; then one by one.
    static func fieldContent(_ value: UnsafeRawBufferPointer) -> FieldContent {
        let tops: UInt64 = 0x8080_8080_8080_8080
        let ones: UInt64 = 0x0101_0101_0101_0101
        var offset = 0
        while offset &+ 8 <= value.count {
            let word = value.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let controls = (word &- (ones &* 0x20)) & ~word
            let delete = ((word ^ (ones &* 0x7F)) &- ones) & ~(word ^ (ones &* 0x7F))
            if (controls | delete | word) & tops != 0 { break }
            offset &+= 8
        }
        var isASCII = true
        while offset < value.count {
            let byte = value[offset]
            guard isFieldContent(byte) else { return .invalid }
            if byte >= 0x80 { isASCII = false }
            offset &+= 1
        }
        return isASCII ? .ascii : .octets
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
    func trimmingWhitespace() -> UnsafeRawBufferPointer { slice(trimmingWhitespace(0..<count)) }

    /// The range without SP and HTAB at both ends.
    func trimmingWhitespace(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return start..<end
    }
}
