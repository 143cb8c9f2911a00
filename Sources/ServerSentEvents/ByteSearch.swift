import HeadgateLibC

/// Returns the offset of the first `byte` in `start..<end`, or `end`.
///
/// The platform's `memchr` compares 32 bytes in each step if the processor can; a portable loop over words compares 8.
@inline(__always)
func firstOffset(of byte: UInt8, in base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
    guard start < end, let found = memchr(base + start, Int32(byte), end - start) else { return end }
    return UnsafeRawPointer(found) - base
}

enum Octet {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let colon = UInt8(ascii: ":")
}
