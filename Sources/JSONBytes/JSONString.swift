/// Where a validated string lies in its document.
@usableFromInline
package struct JSONString: Equatable, Sendable {
    /// The bytes between the quotes, as written.
    @usableFromInline package let contents: Range<Int>
    /// Whether `contents` holds a backslash, so that the bytes are not the text.
    @usableFromInline package let hasEscapes: Bool

    @inlinable @inline(__always)
    init(from start: Int, to end: Int, hasEscapes: Bool) {
        contents = Range(uncheckedBounds: (start, end))
        self.hasEscapes = hasEscapes
    }

    /// The string with its quotes: what an edit replaces.
    @inlinable
    package var literal: Range<Int> {
        contents.lowerBound - 1..<contents.upperBound + 1
    }
}
