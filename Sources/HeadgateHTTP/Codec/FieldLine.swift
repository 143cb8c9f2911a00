/// Header line in the form that nearly all have, found and checked in one pass: a token, a colon, and visible ASCII,
/// ended by CR LF.
struct FieldLine {
    let name: Range<Int>
    /// Range of the value without the whitespace around it.
    let value: Range<Int>
    /// Offset of the next line.
    let end: Int

    /// Returns nil for a line in any other form, valid or not, and for an incomplete one.
    @inline(__always)
    init?(usual bytes: UnsafeRawBufferPointer, at start: Int) {
        let colon = FieldLine.skipName(bytes, start)
        guard colon > start, colon < bytes.count, bytes[colon] == 0x3A else { return nil }
        var first = colon &+ 1
        while first < bytes.count, FieldLine.isWhitespace(bytes[first]) { first &+= 1 }
        let carriageReturn = FieldLine.skipValue(bytes, first)
        guard carriageReturn &+ 1 < bytes.count, bytes[carriageReturn] == 0x0D, bytes[carriageReturn &+ 1] == 0x0A
        else { return nil }
        var last = carriageReturn
        while last > first, FieldLine.isWhitespace(bytes[last &- 1]) { last &-= 1 }
        name = Range(uncheckedBounds: (start, colon))
        value = Range(uncheckedBounds: (first, last))
        end = carriageReturn &+ 2
    }

    /// Returns the offset of the first byte, at or after `offset`, that no token contains.
    @inline(__always)
    private static func skipName(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
        var offset = offset
        while offset < bytes.count {
            if offset &+ 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let others = ByteClass.notLettersAndHyphens(word)
                guard others != 0 else {
                    offset &+= 8
                    continue
                }
                offset &+= others.trailingZeroBitCount >> 3
            }
            guard ByteClass.isToken(bytes[offset]) else { return offset }
            offset &+= 1
        }
        return offset
    }

    /// Returns the offset of the first byte, at or after `offset`, that is neither visible ASCII nor whitespace.
    @inline(__always)
    private static func skipValue(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
        var offset = offset
        while offset < bytes.count {
            if offset &+ 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let others = ByteClass.notVisible(word)
                guard others != 0 else {
                    offset &+= 8
                    continue
                }
                offset &+= others.trailingZeroBitCount >> 3
            }
            let byte = bytes[offset]
            guard byte < 0x80, ByteClass.isFieldContent(byte) else { return offset }
            offset &+= 1
        }
        return offset
    }

    @inline(__always)
    private static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
