/// The grammar of RFC 8259 on a buffer, without state: each function takes an offset and returns the offset where it
/// ended.
@usableFromInline
struct JSONScanner {
    @usableFromInline let base: UnsafeRawPointer
    @usableFromInline let count: Int

    @inlinable
    init(_ bytes: UnsafeRawBufferPointer) {
        base = bytes.baseAddress ?? UnsafeRawPointer(("" as StaticString).utf8Start)
        count = bytes.count
    }

    /// Requires `offset < count`.
    @inlinable @inline(__always)
    subscript(_ offset: Int) -> UInt8 {
        base.load(fromByteOffset: offset, as: UInt8.self)
    }

    @inlinable @inline(__always)
    func skipWhitespace(_ offset: Int) -> Int {
        guard offset < count, self[offset] <= 0x20 else { return offset }
        return skipWhitespaceRun(offset)
    }

    @inline(never) @usableFromInline
    func skipWhitespaceRun(_ offset: Int) -> Int {
        var offset = offset
        while offset < count {
            switch self[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return offset
            }
        }
        return offset
    }

    /// Returns the byte at `offset`, and throws at the end of the input.
    @inlinable @inline(__always)
    func byte(at offset: Int) throws(JSONError) -> UInt8 {
        guard offset < count else { throw JSONError(.endOfInput, at: count) }
        return self[offset]
    }

    /// Returns the kind of the value at `offset`, determined by its first byte only.
    @inlinable @inline(__always)
    func kind(at offset: Int) throws(JSONError) -> JSONKind {
        switch try byte(at: offset) {
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

    /// Returns the error for a byte that begins a value of another kind than the caller expects, or no value.
    @inline(never) @usableFromInline
    func unexpectedKind(at offset: Int) -> JSONError {
        do throws(JSONError) {
            _ = try kind(at: offset)
            return JSONError(.unexpectedKind, at: offset)
        } catch {
            return error
        }
    }

    /// Reads a member name from its opening quote, and its colon. Returns the offset of the value's first byte, or the
    /// end of the input.
    @inlinable @inline(__always)
    func scanKey(_ offset: Int) throws(JSONError) -> (key: JSONString, value: Int) {
        guard try byte(at: offset) == UInt8(ascii: "\"") else { throw JSONError(.syntax, at: offset) }
        let key = try scanString(offset)
        let colon = skipWhitespace(key.contents.upperBound + 1)
        guard try byte(at: colon) == UInt8(ascii: ":") else { throw JSONError(.syntax, at: colon) }
        return (key, skipWhitespace(colon + 1))
    }

    /// Reads one of `true`, `false`, `null`, whose first letter is already known to match.
    @inline(__always)
    func scanLiteral(_ offset: Int, _ text: StaticString) throws(JSONError) -> Int {
        let length = text.utf8CodeUnitCount
        guard offset + length <= count,
            Self.haveSameWord(base + offset, UnsafeRawPointer(text.utf8Start), at: length - 4)
        else {
            throw literalFault(offset, text)
        }
        return offset + length
    }

    @inline(never)
    private func literalFault(_ start: Int, _ text: StaticString) -> JSONError {
        var offset = start
        while offset < count, self[offset] == text.utf8Start[offset - start] { offset += 1 }
        return JSONError(offset < count ? .syntax : .endOfInput, at: offset)
    }

    /// Reads a number; `isInteger` means that it has neither a fraction nor an exponent.
    func scanNumber(_ start: Int) throws(JSONError) -> (end: Int, isInteger: Bool) {
        var offset = start
        if self[offset] == UInt8(ascii: "-") { offset += 1 }
        let first = try byte(at: offset)
        guard isDigit(first) else { throw JSONError(.syntax, at: offset) }
        offset = first == UInt8(ascii: "0") ? offset + 1 : skipDigits(offset)
        var isInteger = true
        if offset < count, self[offset] == UInt8(ascii: ".") {
            isInteger = false
            offset = try scanDigits(offset + 1)
        }
        if offset < count, self[offset] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            offset += 1
            let sign = try byte(at: offset)
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { offset += 1 }
            offset = try scanDigits(offset)
        }
        guard offset &- start <= JSONCursor.longestNumber else { throw JSONError(.longNumber, at: start) }
        return (offset, isInteger)
    }

    private func scanDigits(_ offset: Int) throws(JSONError) -> Int {
        guard isDigit(try byte(at: offset)) else { throw JSONError(.syntax, at: offset) }
        return skipDigits(offset)
    }

    @inline(__always)
    private func skipDigits(_ offset: Int) -> Int {
        var offset = offset
        while offset < count, isDigit(self[offset]) { offset += 1 }
        return offset
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }
}
