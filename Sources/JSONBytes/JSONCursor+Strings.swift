extension JSONCursor {
    /// Returns the document's bytes in a range that this cursor returned.
    @inlinable
    package func bytes(in range: Range<Int>) -> UnsafeRawBufferPointer {
        let range = range.clamped(to: 0..<scanner.count)
        return UnsafeRawBufferPointer(start: scanner.base + range.lowerBound, count: range.count)
    }

    /// Returns whether a string of this document has exactly this text, regardless of its escapes.
    @inlinable @inline(__always)
    package func equals(_ string: JSONString, _ expected: StaticString) -> Bool {
        // Most members of a document do not match, and most of those differ in length.
        let count = expected.utf8CodeUnitCount
        guard string.contents.count == count, !string.hasEscapes, string.contents.upperBound <= scanner.count else {
            return string.hasEscapes && decodedEquals(string, expected)
        }
        let written = scanner.base + string.contents.lowerBound
        return JSONScanner.haveSameBytes(written, UnsafeRawPointer(expected.utf8Start), count)
    }

    @inline(never) @usableFromInline
    func decodedEquals(_ string: JSONString, _ expected: StaticString) -> Bool {
        var text: [UInt8] = []
        appendDecoded(string, to: &text)
        return text.elementsEqual(UnsafeRawBufferPointer(start: expected.utf8Start, count: expected.utf8CodeUnitCount))
    }

    /// Returns the text of a string of this document. A lone surrogate, which only an escape can write, becomes U+FFFD.
    package func decoded(_ string: JSONString) -> String {
        guard string.hasEscapes else { return String(decoding: bytes(in: string.contents), as: UTF8.self) }
        var text: [UInt8] = []
        appendDecoded(string, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text of a string of this document as UTF-8, with surrogates as in ``decoded(_:)``.
    package func appendDecoded(_ string: JSONString, to output: inout [UInt8]) {
        let contents = bytes(in: string.contents)
        guard string.hasEscapes else {
            output.append(contentsOf: contents)
            return
        }
        var offset = 0
        while offset < contents.count {
            guard contents[offset] == UInt8(ascii: "\\"), offset + 1 < contents.count else {
                output.append(contents[offset])
                offset += 1
                continue
            }
            let letter = contents[offset + 1]
            if letter == UInt8(ascii: "u") {
                let (scalar, length) = Self.scalar(in: contents, at: offset)
                output.append(contentsOf: scalar.utf8)
                offset += length
            } else {
                output.append(Self.character(escapedBy: letter))
                offset += 2
            }
        }
    }

    /// Returns whether a string of this document has half of a surrogate pair, which only an escape can write.
    package func hasLoneSurrogate(_ string: JSONString) -> Bool {
        guard string.hasEscapes else { return false }
        let contents = bytes(in: string.contents)
        var offset = 0
        while offset < contents.count {
            guard contents[offset] == UInt8(ascii: "\\") else {
                offset += 1
                continue
            }
            guard let unit = Self.codeUnit(in: contents, at: offset), 0xD800...0xDFFF ~= unit else {
                offset += 2
                continue
            }
            guard case (_, let length) = Self.scalar(in: contents, at: offset), length == 12 else { return true }
            offset += length
        }
        return false
    }

    /// Returns the error for a repeated member name that the caller does not accept.
    package func duplicateKey(_ key: JSONString) -> JSONError {
        JSONError(.duplicateKey(decoded(key)), at: key.contents.lowerBound)
    }

    private static func character(escapedBy letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "r"): 0x0D
        default: letter
        }
    }

    /// Returns the scalar of a `\u` escape, including its second half if it has one, and the length of both.
    private static func scalar(in bytes: UnsafeRawBufferPointer, at offset: Int) -> (Unicode.Scalar, length: Int) {
        guard let first = codeUnit(in: bytes, at: offset) else { return ("\u{FFFD}", 2) }
        if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
        guard first < 0xDC00, let second = codeUnit(in: bytes, at: offset + 6), 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { return ("\u{FFFD}", 6) }
        return (scalar, 12)
    }

    private static func codeUnit(in bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt16? {
        guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for digit in bytes[offset + 2..<offset + 6] {
            guard let value = JSONScanner.hexValue(digit) else { return nil }
            unit = unit << 4 | value
        }
        return unit
    }
}

extension JSONScanner {
    /// Returns the value of a number without fraction and exponent; nil if it does not fit.
    func integer(in range: Range<Int>) -> Int? {
        let isNegative = self[range.lowerBound] == UInt8(ascii: "-")
        var value = 0
        var offset = range.lowerBound &+ (isNegative ? 1 : 0)
        while offset < range.upperBound {
            // The digits are subtracted for a negative number, so that Int.min fits as well.
            let digit = Int(self[offset] &- UInt8(ascii: "0"))
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(isNegative ? -digit : digit)
            guard !overflow, !carry else { return nil }
            value = sum
            offset &+= 1
        }
        return value
    }
}

/// The range of a validated string in its document.
@usableFromInline
package struct JSONString: Equatable, Sendable {
    /// The bytes between the quotes, as written.
    @usableFromInline package let contents: Range<Int>
    /// Whether `contents` has a backslash, so that the bytes are not the text.
    @usableFromInline package let hasEscapes: Bool

    @inlinable @inline(__always)
    init(from start: Int, to end: Int, hasEscapes: Bool) {
        contents = Range(uncheckedBounds: (start, end))
        self.hasEscapes = hasEscapes
    }

    /// The string with its quotes, which is the range that an edit replaces.
    @inlinable
    package var literal: Range<Int> {
        contents.lowerBound - 1..<contents.upperBound + 1
    }
}
