/// The character classes of RFC 9110 and 9112, as tests of single bytes.
enum ByteClass {
    /// `tchar` (RFC 9110 5.6.2) as a bitmap over the 128 ASCII characters: letters, digits and ``!#$%&'*+-.^_`|~``.
    private static let lowTokenBits: UInt64 = 0x03FF_6CFA_0000_0000
    private static let highTokenBits: UInt64 = 0x57FF_FFFF_C7FF_FFFE

    static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return false }
        if areLettersAndHyphens(bytes) { return true }
        for byte in bytes where !isToken(byte) { return false }
        return true
    }

    /// Tests eight bytes a step, since most names have no other characters.
    private static func areLettersAndHyphens(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 8 else { return false }
        // The last step tests some bytes again if the count is not a multiple of eight.
        var offset = 0
        while areLettersAndHyphens(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) {
            if offset &+ 8 == bytes.count { return true }
            offset = min(offset &+ 8, bytes.count &- 8)
        }
        return false
    }

    private static let tops: UInt64 = 0x8080_8080_8080_8080
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    private static func areLettersAndHyphens(_ word: UInt64) -> Bool { notLettersAndHyphens(word) == 0 }

    /// Returns the top bit of each byte that is neither a letter nor a hyphen.
    @inline(__always)
    static func notLettersAndHyphens(_ word: UInt64) -> UInt64 {
        // Below 0x80 no sum or difference of a byte carries into the next one.
        let ascii = word & ~tops
        let lower = ascii | ones &* 0x20
        let fromA = (lower | tops) &- ones &* 0x61
        let beyondZ = lower &+ ones &* (0x7F - 0x7A)
        let others = (ascii ^ ones &* 0x2D) &+ ones &* 0x7F
        return (~((fromA & ~beyondZ) | ~others) | word) & tops
    }

    /// Returns the top bit of the first byte that is a control character or not ASCII; bits above it mean nothing.
    @inline(__always)
    static func notVisible(_ word: UInt64) -> UInt64 {
        let controls = (word &- (ones &* 0x20)) & ~word
        let deletes = word ^ (ones &* 0x7F)
        return (controls | ((deletes &- ones) & ~deletes) | word) & tops
    }

    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? lowTokenBits : highTokenBits) & (1 << UInt64(byte & 63)) != 0
    }

    /// Kind of a header value.
    enum FieldContent {
        case ascii
        /// Well-formed, with bytes above 0x7f.
        case octets
        case invalid
    }

    /// Tests eight bytes a step, as long as all of them are visible ASCII or SP, and then one by one.
    static func fieldContent(_ value: UnsafeRawBufferPointer) -> FieldContent {
        var offset = 0
        while offset &+ 8 <= value.count {
            let word = value.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if notVisible(word) != 0 { break }
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

    /// Returns whether a header value may contain the byte: visible characters, SP, HTAB and bytes above 0x7f, but not
    /// 0x7f or other controls (RFC 9110 5.5).
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

    /// Returns whether the bytes equal the given text, ignoring case.
    ///
    /// - Parameters:
    ///   - bytes: bytes without control characters, since some of these differ from punctuation only in the case bit.
    ///   - text: a text in which every byte has the case bit, 0x20: lower-case letters, digits, `-`, `/`, `:`.
    @inline(__always)
    static func equalsIgnoringCase(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        let count = bytes.count
        guard count == text.utf8CodeUnitCount, count > 0 else { return false }
        let expected = UnsafeRawBufferPointer(start: text.utf8Start, count: count)
        if count < 8 {
            for index in 0..<count where bytes[index] | 0x20 != expected[index] { return false }
            return true
        }
        // The last step tests some bytes again if the count is not a multiple of eight.
        var offset = 0
        while true {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) | ones &* 0x20
            guard word == expected.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
            if offset &+ 8 == count { return true }
            offset = min(offset &+ 8, count &- 8)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns a part of the same memory.
    @inline(__always)
    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }

    /// Returns the bytes without SP and HTAB at both ends (`OWS`).
    func trimmingWhitespace() -> UnsafeRawBufferPointer { slice(trimmingWhitespace(0..<count)) }

    /// Returns the range without SP and HTAB at both ends.
    func trimmingWhitespace(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return start..<end
    }
}
