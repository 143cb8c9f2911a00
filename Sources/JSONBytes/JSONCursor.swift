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
package struct JSONCursor {
    let scanner: JSONScanner
    /// Objects and arrays nested deeper than this are refused.
    package let maximumDepth: Int
    /// The next byte to read.
    package private(set) var offset = 0
    private var depth = 0
    /// The innermost open container has not been asked for a member yet, so no comma is due.
    private var isFirst = true

    /// `maximumDepth` is brought into 1...128.
    package init(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int = 128) {
        scanner = JSONScanner(bytes)
        self.maximumDepth = min(max(maximumDepth, 1), JSONScanner.deepest)
    }

    /// Looks at the value that comes next, by its first byte alone.
    package mutating func kind() throws(JSONError) -> JSONKind {
        offset = scanner.skipWhitespace(offset)
        switch try scanner.byte(at: offset) {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return .number
        case UInt8(ascii: "t"): return .true
        case UInt8(ascii: "f"): return .false
        case UInt8(ascii: "n"): return .null
        default: throw JSONError(.syntax, at: offset)
        }
    }

    package mutating func beginObject() throws(JSONError) {
        try begin(UInt8(ascii: "{"))
    }

    package mutating func beginArray() throws(JSONError) {
        try begin(UInt8(ascii: "["))
    }

    private mutating func begin(_ opening: UInt8) throws(JSONError) {
        offset = scanner.skipWhitespace(offset)
        guard try scanner.byte(at: offset) == opening else { throw unexpectedKind() }
        guard depth < maximumDepth else { throw JSONError(.tooDeep, at: offset) }
        depth += 1
        isFirst = true
        offset += 1
    }

    /// The next member's name, with the cursor on its value; nil once the closing brace has been read.
    package mutating func nextKey() throws(JSONError) -> JSONString? {
        guard let start = try advance(closing: UInt8(ascii: "}")) else { return nil }
        let (key, value) = try scanner.scanKey(start)
        offset = value
        return key
    }

    /// Whether the array has another element, with the cursor on it; false once the closing bracket has been read.
    package mutating func nextElement() throws(JSONError) -> Bool {
        guard let start = try advance(closing: UInt8(ascii: "]")) else { return false }
        guard try scanner.byte(at: start) != UInt8(ascii: "]") else { throw JSONError(.syntax, at: start) }
        offset = start
        return true
    }

    /// Where the next member or element starts, or nil for the end of its container, which has then been stepped over.
    @inline(__always)
    private mutating func advance(closing: UInt8) throws(JSONError) -> Int? {
        let start = scanner.skipWhitespace(offset)
        let next = try scanner.byte(at: start)
        if next == UInt8(ascii: ","), !isFirst {
            return scanner.skipWhitespace(start + 1)
        }
        if next == closing, depth > 0 {
            depth -= 1
            isFirst = false
            offset = start + 1
            return nil
        }
        guard isFirst else { throw JSONError(.syntax, at: start) }
        isFirst = false
        return start
    }

    /// Reads a value of any kind whole, with all of its contents checked, and returns the bytes it takes.
    @discardableResult
    package mutating func skipValue() throws(JSONError) -> Range<Int> {
        let start = scanner.skipWhitespace(offset)
        isFirst = false
        if start < scanner.count, scanner[start] == UInt8(ascii: "\"") {
            offset = try scanner.scanString(start).contents.upperBound + 1
        } else {
            offset = try scanner.scanValue(start, openContainers: depth, maximumDepth: maximumDepth)
        }
        return Range(uncheckedBounds: (start, offset))
    }

    package mutating func string() throws(JSONError) -> JSONString {
        offset = scanner.skipWhitespace(offset)
        guard try scanner.byte(at: offset) == UInt8(ascii: "\"") else { throw unexpectedKind() }
        let string = try scanner.scanString(offset)
        offset = string.contents.upperBound + 1
        isFirst = false
        return string
    }

    /// Reads a value of any kind; nil unless it is a number that is whole, however it is written (`12`, `12.0`, `1.2e1`), and fits
    /// an `Int`.
    package mutating func integer() throws(JSONError) -> Int? {
        guard try kind() == .number else {
            try skipValue()
            return nil
        }
        let start = offset
        let (end, isInteger) = try scanner.scanNumber(start)
        offset = end
        isFirst = false
        if isInteger { return scanner.integer(in: start..<end) }
        return Double(String(decoding: bytes(in: start..<end), as: UTF8.self)).flatMap { Int(exactly: $0) }
    }

    package mutating func bool() throws(JSONError) -> Bool {
        let kind = try kind()
        guard kind == .true || kind == .false else { throw unexpectedKind() }
        try skipValue()
        return kind == .true
    }

    /// Checks that the value is closed and that only white space follows it.
    package mutating func finish() throws(JSONError) {
        offset = scanner.skipWhitespace(offset)
        guard offset == scanner.count else { throw JSONError(.syntax, at: offset) }
        guard depth == 0, !isFirst else { throw JSONError(.endOfInput, at: offset) }
    }

    /// The byte at the offset begins another kind of value than the caller wants, or none at all.
    private mutating func unexpectedKind() -> JSONError {
        do throws(JSONError) {
            _ = try kind()
            return JSONError(.unexpectedKind, at: offset)
        } catch {
            return error
        }
    }
}
