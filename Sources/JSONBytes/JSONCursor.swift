// JSONBytes: JSON (RFC 8259) as bytes: the content of a document with its places, and edits that leave every other byte
// unchanged. No values are built and nothing is encoded again. Typed decoding, and the meaning of members, belong to
// other modules.

/// Reads one document, which is borrowed while the cursor and its copies are used. It rejects everything that is not
/// strict JSON.
///
/// A value is consumed by exactly one of `beginObject`, `beginArray`, `string`, `integer`, `bool`, `skipValue`; a call
/// that does not match the value throws. A copy of the cursor is a bookmark. Nothing is recursive, and only the
/// decoding of a string allocates memory. All offsets count bytes from the start of the document.
///
/// An error of the kind `endOfInput` means that the bytes are a proper prefix of a valid document. A byte order mark is
/// rejected; a repeated key is not (see ``duplicateKey(_:)``).
@usableFromInline
package struct JSONCursor {
    // The code that runs for every event can be inlined into other modules. Otherwise, a call for each member would
    // cost more than the work for the member.
    @usableFromInline let scanner: JSONScanner
    /// The maximum depth of nested objects and arrays; deeper ones are rejected.
    @usableFromInline package let maximumDepth: Int
    @usableFromInline var position = 0
    @usableFromInline var depth = 0
    /// Whether no member or element of the innermost open container has been read yet, so that no comma is expected.
    @usableFromInline var isFirst = true

    /// The offset of the next byte to read.
    @inlinable
    package var offset: Int { position }

    /// The maximum number of characters of a number. Longer numbers are useless, and some readers need a very long time
    /// for them.
    package static let longestNumber = 1024

    /// Creates a cursor.
    ///
    /// - Parameter maximumDepth: The maximum depth, which is limited to 1...128.
    @inlinable
    package init(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int = 128) {
        scanner = JSONScanner(bytes)
        self.maximumDepth = min(max(maximumDepth, 1), JSONScanner.deepest)
    }

    /// Returns the kind of the next value, determined by its first byte only.
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

    /// Returns the next member's name, with the cursor on its value; nil after the closing brace has been read.
    @inlinable
    package mutating func nextKey() throws(JSONError) -> JSONString? {
        guard let start = try advance(closing: UInt8(ascii: "}")) else { return nil }
        let (key, value) = try scanner.scanKey(start)
        position = value
        return key
    }

    /// Returns whether the array has another element, with the cursor on it; false after the closing bracket has been
    /// read.
    @inlinable
    package mutating func nextElement() throws(JSONError) -> Bool {
        guard let start = try advance(closing: UInt8(ascii: "]")) else { return false }
        guard try scanner.byte(at: start) != UInt8(ascii: "]") else { throw JSONError(.syntax, at: start) }
        position = start
        return true
    }

    /// Returns the start of the next member or element; nil at the end of its container, which is then behind the
    /// cursor.
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

    /// Reads a whole value of any kind, checks all of its contents, and returns its range.
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

    /// Reads a value of any kind. Returns it if it is an integer in any notation (`12`, `12.0`, `1.2e1`) that fits into
    /// an `Int`, and nil otherwise.
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

    /// Checks that the value is complete and that only white space follows it.
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
