internal import HeadgateDialects
internal import JSONBytes

/// Compares the scanner with the simplest implementation of the grammar and with the parser of values, and checks
/// splices.
enum JSONFuzzing {
    private static let depth = 128

    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        var reference = Reference(input)
        let expected = reference.isDocument(depth: depth)
        let scanned = input.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in
                var cursor = JSONCursor(bytes, maximumDepth: depth)
                try cursor.skipValue()
                try cursor.finish()
            }
        }
        let value = Result { () throws(JSONError) in try JSONValue(input) }
        let isScanned = (try? scanned.get()) != nil
        try FuzzFinding.expect(isScanned == expected || reference.isBeyondOurs, "scanned: \(scanned)")
        guard let value = try? value.get() else {
            return try FuzzFinding.expect(!isScanned, "scanned, but not read: \(value)")
        }
        try FuzzFinding.expect(isScanned, "read, but not scanned: \(scanned)")
        try FuzzFinding.expect((try? JSONValue(value.bytes)) == value, "written otherwise than read")
        try joinLines(input, value)
        try checkEdits(input)
    }

    /// Checks that joining the lines leaves no line end, and does not change the value.
    private static func joinLines(_ input: [UInt8], _ value: JSONValue) throws(FuzzFinding) {
        var joined = input
        JSONCompaction.joinLines(&joined)
        try FuzzFinding.expect((try? JSONValue(joined)) == value, "joined lines are another value")
        try FuzzFinding.expect(!joined.contains { $0 == 0x0A || $0 == 0x0D }, "a line end is left")
    }

    /// Checks that replacing every member of an object, by itself or by another value, leaves all other bytes
    /// unchanged.
    private static func checkEdits(_ input: [UInt8]) throws(FuzzFinding) {
        let ranges = input.withUnsafeBytes { valueRanges(of: $0) }
        guard !ranges.isEmpty else { return }
        let same = ranges.map { JSONEdit($0, Array(input[$0])) }
        try FuzzFinding.expect(
            input.withUnsafeBytes { JSONSplice.applying(same, to: $0) } == input, "spliced by itself, it differs")
        let other = ranges.map { JSONEdit($0, Array("null".utf8)) }
        let spliced = input.withUnsafeBytes { JSONSplice.applying(other, to: $0) }
        let members = (try? JSONValue(spliced))?.object?.members
        try FuzzFinding.expect(
            members?.count == ranges.count && members?.allSatisfy { $0.value.isNull } == true, "spliced wrongly")
        for range in ranges {
            var one: [UInt8] = []
            input.withUnsafeBytes { bytes in
                JSONSplice.append(
                    bytes, replacing: range, with: UnsafeRawBufferPointer(rebasing: bytes[range]), to: &one)
            }
            try FuzzFinding.expect(one == input, "appended with itself, it differs")
        }
    }

    private static func valueRanges(of document: UnsafeRawBufferPointer) -> [Range<Int>] {
        var (cursor, ranges) = (JSONCursor(document), [Range<Int>]())
        do throws(JSONError) {
            try cursor.beginObject()
            while try cursor.nextKey() != nil { ranges.append(try cursor.skipValue()) }
            try cursor.finish()
            return ranges
        } catch { return [] }
    }

    /// Reads RFC 8259 byte by byte.
    private struct Reference {
        private let text: [UInt8]
        private var offset = 0
        /// Whether the document exceeds the parser's limits of digits in a number or of values.
        private(set) var isBeyondOurs = false

        init(_ text: [UInt8]) { self.text = text }

        private var next: UInt8? { offset < text.count ? text[offset] : nil }

        mutating func isDocument(depth: Int) -> Bool {
            guard isValue(depth: depth) else { return false }
            skipSpace()
            return offset == text.count
        }

        private mutating func skipSpace() {
            while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
        }

        private mutating func take(_ expected: String) -> Bool {
            guard text[offset...].starts(with: expected.utf8) else { return false }
            offset += expected.utf8.count
            return true
        }

        private mutating func isValue(depth: Int) -> Bool {
            skipSpace()
            switch next {
            case UInt8(ascii: "{"): return isList(closing: "}", depth: depth, hasNames: true)
            case UInt8(ascii: "["): return isList(closing: "]", depth: depth, hasNames: false)
            case UInt8(ascii: "\""): return isString()
            case UInt8(ascii: "t"): return take("true")
            case UInt8(ascii: "f"): return take("false")
            case UInt8(ascii: "n"): return take("null")
            default: return isNumber()
            }
        }

        private mutating func isList(closing: String, depth: Int, hasNames: Bool) -> Bool {
            offset += 1
            guard depth > 0 else { return false }
            skipSpace()
            if take(closing) { return true }
            repeat {
                skipSpace()
                if hasNames {
                    guard next == UInt8(ascii: "\""), isString() else { return false }
                    skipSpace()
                    guard take(":") else { return false }
                }
                guard isValue(depth: depth - 1) else { return false }
                skipSpace()
            } while take(",")
            return take(closing)
        }

        private mutating func isString() -> Bool {
            offset += 1
            let start = offset
            while let byte = next, byte != UInt8(ascii: "\"") {
                guard byte >= 0x20 else { return false }
                offset += 1
                guard byte == UInt8(ascii: "\\") else { continue }
                guard let escape = next, "\"\\/bfnrtu".utf8.contains(escape) else { return false }
                offset += 1
                guard escape == UInt8(ascii: "u") else { continue }
                for _ in 0..<4 {
                    guard let digit = next, Character(UnicodeScalar(digit)).isHexDigit else { return false }
                    offset += 1
                }
            }
            guard next != nil, String(validating: text[start..<offset], as: UTF8.self) != nil else { return false }
            offset += 1
            return true
        }

        private mutating func digits() -> Bool {
            let start = offset
            while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
            return offset > start
        }

        private mutating func isNumber() -> Bool {
            let start = offset
            _ = take("-")
            if !take("0") { guard digits() else { return false } }
            if take(".") { guard digits() else { return false } }
            if take("e") || take("E") {
                if !take("+") { _ = take("-") }
                guard digits() else { return false }
            }
            if offset - start > 512 { isBeyondOurs = true }
            return true
        }
    }
}
