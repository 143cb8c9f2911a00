/// The grammar of RFC 8259 over a buffer, without state: each function takes an offset and returns where it stopped.
struct JSONScanner {
    let base: UnsafeRawPointer
    let count: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        base = bytes.baseAddress ?? UnsafeRawPointer(("" as StaticString).utf8Start)
        count = bytes.count
    }

    /// Requires `offset < count`.
    @inline(__always)
    subscript(_ offset: Int) -> UInt8 {
        base.load(fromByteOffset: offset, as: UInt8.self)
    }

    @inline(__always)
    func skipWhitespace(_ offset: Int) -> Int {
        guard offset < count, self[offset] <= 0x20 else { return offset }
        return skipWhitespaceRun(offset)
    }

    @inline(never)
    private func skipWhitespaceRun(_ offset: Int) -> Int {
        var offset = offset
        while offset < count {
            switch self[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return offset
            }
        }
        return offset
    }

    /// The byte at `offset`; the end of the input is an error here.
    @inline(__always)
    func byte(at offset: Int) throws(JSONError) -> UInt8 {
        guard offset < count else { throw JSONError(.endOfInput, at: count) }
        return self[offset]
    }

    /// A member name and its colon, from its opening quote to the first byte of the value or the end of the input.
    @inline(__always)
    func scanKey(_ offset: Int) throws(JSONError) -> (key: JSONString, value: Int) {
        guard try byte(at: offset) == UInt8(ascii: "\"") else { throw JSONError(.syntax, at: offset) }
        let key = try scanString(offset)
        let colon = skipWhitespace(key.contents.upperBound + 1)
        guard try byte(at: colon) == UInt8(ascii: ":") else { throw JSONError(.syntax, at: colon) }
        return (key, skipWhitespace(colon + 1))
    }

    /// One of `true`, `false`, `null`.
    func scanLiteral(_ offset: Int, _ text: StaticString) throws(JSONError) -> Int {
        let letters = text.utf8Start
        for index in 0..<text.utf8CodeUnitCount {
            guard try byte(at: offset + index) == letters[index] else {
                throw JSONError(.syntax, at: offset + index)
            }
        }
        return offset + text.utf8CodeUnitCount
    }

    /// A number; `isInteger` means that it has neither fraction nor exponent.
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
