extension JSONScanner {
    /// Reads a string from its opening quote, eight bytes in each step.
    @inlinable @inline(__always)
    func scanString(_ opening: Int) throws(JSONError) -> JSONString {
        let start = opening &+ 1
        var offset = start
        // Names and most values end within these bytes.
        let near = min(count, start &+ 32) &- 8
        while offset <= near {
            let stops = Self.stops(in: word(at: offset))
            if stops != 0 {
                offset &+= stops.trailingZeroBitCount &>> 3
                if self[offset] == UInt8(ascii: "\"") {
                    return JSONString(from: start, to: offset, hasEscapes: false)
                }
                return try scanIrregularString(start, from: offset)
            }
            offset &+= 8
        }
        return try scanLongString(start, from: offset)
    }

    @inlinable @inline(__always)
    func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Returns a word that marks the quotes, backslashes, control characters and bytes outside ASCII, each by the
    /// highest bit of its byte. A borrow can set wrong bits only above a correct one, and only the lowest bit is used.
    @inlinable @inline(__always)
    static func stops(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // With the second bit inverted, a quote is 0x20, and all control characters are still below it.
        let quotesAndControls = (word ^ (ones &* 0x02)) &- (ones &* 0x21)
        let backslashes = (word ^ (ones &* 0x5C)) &- ones
        return (quotesAndControls | backslashes | word) & (ones &* 0x80)
    }

    /// Returns the offset of the first byte that needs attention in a string, or one close to the end of the input.
    @inline(__always)
    func skipPlainText(_ first: Int) -> Int {
        var offset = first
        while offset &+ 16 <= count {
            let (low, high) = (Self.stops(in: word(at: offset)), Self.stops(in: word(at: offset &+ 8)))
            if low | high != 0 {
                return offset &+ (low != 0 ? low.trailingZeroBitCount : 64 &+ high.trailingZeroBitCount) &>> 3
            }
            offset &+= 16
        }
        while offset < count, Self.stops(in: UInt64(self[offset]) | 0x6161_6161_6161_6100) == 0 { offset &+= 1 }
        return offset
    }

    /// Reads the rest of a string that is longer, or close to the end of the input.
    @inline(never) @usableFromInline
    func scanLongString(_ start: Int, from first: Int) throws(JSONError) -> JSONString {
        let offset = skipPlainText(first)
        if offset < count, self[offset] == UInt8(ascii: "\"") {
            return JSONString(from: start, to: offset, hasEscapes: false)
        }
        return try scanIrregularString(start, from: offset)
    }

    /// Reads the rest of a string with escapes or characters outside ASCII, from the first of them.
    @inline(never) @usableFromInline
    func scanIrregularString(_ start: Int, from first: Int) throws(JSONError) -> JSONString {
        var offset = first
        var hasEscapes = false
        while true {
            let byte = try byte(at: offset)
            if byte >= 0x80 {
                offset = try scanMultibyte(offset)
                // Text in many languages has one such character after another.
                if offset < count, self[offset] >= 0x80 { continue }
            } else if byte == UInt8(ascii: "\"") {
                return JSONString(from: start, to: offset, hasEscapes: hasEscapes)
            } else if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                offset = try scanEscape(offset)
            } else {
                throw JSONError(.syntax, at: offset)
            }
            offset = skipPlainText(offset)
        }
    }

    /// Reads an escape sequence from its backslash. Lone surrogates are accepted, because the grammar allows them.
    private func scanEscape(_ backslash: Int) throws(JSONError) -> Int {
        switch try byte(at: backslash + 1) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return backslash + 2
        case UInt8(ascii: "u"):
            for offset in backslash + 2..<backslash + 6 {
                guard Self.hexValue(try byte(at: offset)) != nil else { throw JSONError(.syntax, at: offset) }
            }
            return backslash + 6
        default:
            throw JSONError(.syntax, at: backslash + 1)
        }
    }

    static func hexValue(_ digit: UInt8) -> UInt16? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(digit &- UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(digit &- UInt8(ascii: "a") &+ 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(digit &- UInt8(ascii: "A") &+ 10)
        default: nil
        }
    }

    /// Reads one character outside ASCII.
    private func scanMultibyte(_ start: Int) throws(JSONError) -> Int {
        guard let (second, length) = UTF8Sequence.of(self[start]) else { throw JSONError(.invalidUTF8, at: start) }
        guard second.contains(try byte(at: start + 1)) else { throw JSONError(.invalidUTF8, at: start) }
        for offset in start + 2..<max(start + 2, start + length) {
            guard try byte(at: offset) & 0xC0 == 0x80 else { throw JSONError(.invalidUTF8, at: start) }
        }
        return start + length
    }

    /// Returns whether the bytes are the same. It compares whole words, the last of which can overlap the previous one.
    @inlinable @inline(__always)
    static func haveSameBytes(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
        guard count >= 4 else {
            for offset in 0..<count {
                let byte = left.load(fromByteOffset: offset, as: UInt8.self)
                guard byte == right.load(fromByteOffset: offset, as: UInt8.self) else { return false }
            }
            return true
        }
        var offset = 0
        while offset < count - 4 {
            guard haveSameWord(left, right, at: offset) else { return false }
            offset += 4
        }
        return haveSameWord(left, right, at: count - 4)
    }

    @inlinable @inline(__always)
    static func haveSameWord(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, at offset: Int) -> Bool {
        left.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            == right.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }
}
