/// Where a validated string lies in its document.
package struct JSONString: Equatable, Sendable {
    /// The bytes between the quotes, as written.
    package let contents: Range<Int>
    /// Whether `contents` holds a backslash, so that the bytes are not the text.
    package let hasEscapes: Bool

    @inline(__always)
    init(from start: Int, to end: Int, hasEscapes: Bool) {
        contents = Range(uncheckedBounds: (start, end))
        self.hasEscapes = hasEscapes
    }

    /// The string with its quotes: what an edit replaces.
    package var literal: Range<Int> {
        contents.lowerBound - 1..<contents.upperBound + 1
    }
}
