internal import HeadgatePrimitives
internal import JSONBytes

/// Writer into memory of a size that was computed before. Appending to an array would check its capacity forty times
/// per line.
///
/// The caller computes the size with ``room(for:)``; writing beyond it is a programming error and traps.
struct LineWriter {
    private let line: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ line: UnsafeMutableBufferPointer<UInt8>) { self.line = line }

    /// Returns the maximum bytes of a text, with every character escaped.
    @inline(__always)
    static func room(for text: String?) -> Int {
        guard let text else { return 0 }
        return text.utf8.count * 6 + 2
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        precondition(bytes.count <= line.count - count, "the line is longer than was reckoned")
        guard let source = bytes.baseAddress, let start = line.baseAddress else { return }
        (start + count).update(from: source, count: bytes.count)
        count += bytes.count
    }

    /// Returns the bytes that were written from a position on.
    func bytes(from start: Int) -> [UInt8] { Array(line[start..<count]) }

    /// Appends the text unchanged.
    mutating func append(plain text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Appends the text as a JSON string that is also safe for terminals.
    mutating func append(escaped text: String) {
        var text = text
        text.withUTF8 { bytes in
            if LineWriter.isPlain(bytes) {
                append("\"")
                append(bytes)
                append("\"")
            } else {
                var literal: [UInt8] = []
                JSONEscaping.append(bytes: UnsafeRawBufferPointer(bytes), to: &literal)
                LogText.hide(in: literal).withUnsafeBufferPointer { append($0) }
            }
        }
    }

    /// Returns whether all bytes are visible ASCII that JSON does not escape, as in nearly every name.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var others: UInt8 = 0
        // No early exit, so that one instruction checks many bytes.
        for byte in bytes { others |= byte &- 0x20 < 0x5F && byte != 0x22 && byte != 0x5C ? 0 : 1 }
        return others == 0
    }

    mutating func append(_ number: Int) {
        if number >= 0, number < 10 { return append(digit: number) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = number.magnitude
            var start = 20
            repeat {
                start -= 1
                digits[start] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 {
                start -= 1
                digits[start] = 0x2D
            }
            append(UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    /// Appends a number that counts units of the last of its decimals.
    mutating func append(_ number: Int, decimals: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DecimalText.room(decimals)) { digits in
            let count = DecimalText.write(number, digits: decimals, to: digits)
            append(UnsafeBufferPointer(rebasing: digits[..<count]))
        }
    }

    /// Appends a digit from 0 to 9.
    mutating func append(digit: Int) {
        precondition(count < line.count, "the line is longer than was reckoned")
        line[count] = 0x30 + UInt8(truncatingIfNeeded: digit)
        count += 1
    }

    /// Appends a time as RFC 3339 writes it.
    ///
    /// - Parameter nanoseconds: since 1970; not negative.
    mutating func append(time nanoseconds: Int64) {
        precondition(line.count - count >= Timestamp.length, "the line is longer than was reckoned")
        Timestamp.write(nanoseconds, to: UnsafeMutableBufferPointer(rebasing: line[count..<(count + Timestamp.length)]))
        count += Timestamp.length
    }
}
