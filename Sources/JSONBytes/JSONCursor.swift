// JSONBytes: JSON (RFC 8259) as bytes: what a document says and where, and edits that leave every other byte alone.
// No values are built and nothing is re-encoded; typed decoding, and what the members mean, belong to other modules.

/// Walks one document, borrowed while the cursor and its copies are used; whatever is not strict JSON is refused.
///
/// A value is consumed by exactly one of `beginObject`, `beginArray`, `string`, `integer`, `bool`, `skipValue`; a call
/// that does not fit the place throws. A copy of the cursor is a bookmark. Nothing recurses, and only decoding a string
/// allocates. All offsets count bytes from the start of the document.
///
/// An error of the kind `endOfInput` means that the bytes are a proper prefix of a valid document. A byte order mark is
/// refused, a repeated key is not: see ``duplicateKey(_:)``.
@usableFromInline
package struct JSONCursor {
    // Code on the path of every event can be inlined into other modules, since a call for each member costs more than
    // the member.
    @usableFromInline let scanner: JSONScanner
    /// Objects and arrays nested deeper than this are refused.
    @usableFromInline package let maximumDepth: Int
    @usableFromInline var position = 0
    @usableFromInline var depth = 0
    /// The innermost open container has not been asked for a member yet, so no comma is due.
    @usableFromInline var isFirst = true

    /// The next byte to read.
    @inlinable
    package var offset: Int { position }

    /// Characters of a number. No number of this length means anything to anybody, and some readers take very long for
    /// it.
    package static let longestNumber = 1024

    /// - Parameter maximumDepth: brought into 1...128.
    @inlinable
    package init(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int = 128) {
        scanner = JSONScanner(bytes)
        self.maximumDepth = min(max(maximumDepth, 1), JSONScanner.deepest)
    }

    /// Looks at the value that comes next, by its first byte alone.
    @inlinable @inline(__always)
    package mutating func kind() throws(JSONError) -> JSONKind {
        position = scanner.skipWhitespace(position)
        return try scanner.kind(at: position)
    }

    @inlinable
    package mutating func beginObject() throws(JSONError) {
        try begin(UInt8(ascii: "{"))
    }

    @inlinable
    package mutating func beginArray() throws(JSONError) {
        try begin(UInt8(ascii: "["))
    }

    @inlinable @inline(__always)
    mutating func begin(_ opening: UInt8) throws(JSONError) {
        position = scanner.skipWhitespace(position)
        guard try scanner.byte(at: position) == opening else { throw scanner.unexpectedKind(at: position) }
        guard depth < maximumDepth else { throw JSONError(.tooDeep, at: position) }
        depth += 1
        isFirst = true
        position += 1
    }

    /// The next member's name, with the cursor on its value; nil once the closing brace has been read.
    @inlinable
    package mutating func nextKey() throws(JSONError) -> JSONString? {
        guard let start = try advance(closing: UInt8(ascii: "}")) else { return nil }
        let (key, value) = try scanner.scanKey(start)
        position = value
        return key
    }

    /// Whether the array has another element, with the cursor on it; false once the closing bracket has been read.
    @inlinable
    package mutating func nextElement() throws(JSONError) -> Bool {
        guard let start = try advance(closing: UInt8(ascii: "]")) else { return false }
        guard try scanner.byte(at: start) != UInt8(ascii: "]") else { throw JSONError(.syntax, at: start) }
        position = start
        return true
    }

    /// Returns the start of the next member or element; nil at the end of its container, which has then been passed.
    @inlinable @inline(__always)
    mutating func advance(closing: UInt8) throws(JSONError) -> Int? {
        let start = scanner.skipWhitespace(position)
        let next = try scanner.byte(at: start)
        if next == UInt8(ascii: ","), !isFirst {
            return scanner.skipWhitespace(start + 1)
        }
        if next == closing, depth > 0 {
            depth -= 1
            isFirst = false
            position = start + 1
            return nil
        }
        guard isFirst else { throw JSONError(.syntax, at: start) }
        isFirst = false
        return start
    }

    /// Reads a value of any kind whole, with all of its contents checked, and returns the bytes it takes.
    @discardableResult @inlinable
    package mutating func skipValue() throws(JSONError) -> Range<Int> {
        let start = scanner.skipWhitespace(position)
        isFirst = false
        position = try scanner.scanValue(start, openContainers: depth, maximumDepth: maximumDepth)
        return Range(uncheckedBounds: (start, position))
    }

    @inlinable
    package mutating func string() throws(JSONError) -> JSONString {
        position = scanner.skipWhitespace(position)
        guard try scanner.byte(at: position) == UInt8(ascii: "\"") else { throw scanner.unexpectedKind(at: position) }
        let string = try scanner.scanString(position)
        position = string.contents.upperBound + 1
        isFirst = false
        return string
    }

    /// Reads a value of any kind; nil unless it is a number that is whole, however it is written (`12`, `12.0`,
    /// `1.2e1`), and fits an `Int`.
    package mutating func integer() throws(JSONError) -> Int? {
        guard try kind() == .number else {
            try skipValue()
            return nil
        }
        let start = position
        let (end, isInteger) = try scanner.scanNumber(start)
        position = end
        isFirst = false
        if isInteger { return scanner.integer(in: start..<end) }
        return Double(String(decoding: bytes(in: start..<end), as: UTF8.self)).flatMap { Int(exactly: $0) }
    }

    package mutating func bool() throws(JSONError) -> Bool {
        let kind = try kind()
        guard kind == .true || kind == .false else { throw JSONError(.unexpectedKind, at: position) }
        try skipValue()
        return kind == .true
    }

    /// Checks that the value is closed and that only white space follows it.
    @inlinable
    package mutating func finish() throws(JSONError) {
        position = scanner.skipWhitespace(position)
        guard position == scanner.count else { throw JSONError(.syntax, at: position) }
        guard depth == 0, !isFirst else { throw JSONError(.endOfInput, at: position) }
    }
}

@usableFromInline
package enum JSONKind: Sendable {
    case object, array, string, number, `true`, `false`, null
}
