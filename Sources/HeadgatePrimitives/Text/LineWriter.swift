internal import JSONBytes

/// Writes into memory of a size that was computed before: appending to an array would check its capacity forty times
/// per line.
///
/// The caller computes the size with ``room(for:)``; writing beyond it is a programming error and traps.
package struct LineWriter {
    @usableFromInline let line: UnsafeMutableBufferPointer<UInt8>
    @usableFromInline var written = 0

    @inlinable package init(_ line: UnsafeMutableBufferPointer<UInt8>) { self.line = line }

    /// Octets.
    @inlinable package var count: Int { written }

    /// Bytes that a text takes at most, every one of its characters escaped.
    @inlinable @inline(__always)
    package static func room(for text: String?) -> Int {
        guard let text else { return 0 }
        return text.utf8.count * 6 + 2
    }

    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inlinable @inline(__always)
    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        precondition(bytes.count <= line.count - written, "the line is longer than was reckoned")
        guard let source = bytes.baseAddress, let start = line.baseAddress else { return }
        (start + written).update(from: source, count: bytes.count)
        written += bytes.count
    }

    /// As it is.
    @inlinable
    package mutating func append(plain text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// As a JSON string, also safe for terminals.
    package mutating func append(escaped text: String) {
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

    /// Whether it is all visible ASCII that JSON does not escape, which nearly every name is.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var others: UInt8 = 0
        // Without an early exit, so that many bytes are looked at with one instruction.
        for byte in bytes { others |= byte &- 0x20 < 0x5F && byte != 0x22 && byte != 0x5C ? 0 : 1 }
        return others == 0
    }

    package mutating func append(_ number: Int) {
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

    /// From 0 to 9.
    @inlinable
    package mutating func append(digit: Int) {
        precondition(written < line.count, "the line is longer than was reckoned")
        line[written] = 0x30 + UInt8(truncatingIfNeeded: digit)
        written += 1
    }

    /// RFC 3339.
    ///
    /// - Parameter nanoseconds: since 1970; not before.
    package mutating func append(time nanoseconds: Int64) {
        precondition(line.count - written >= Timestamp.length, "the line is longer than was reckoned")
        Timestamp.write(
            nanoseconds, to: UnsafeMutableBufferPointer(rebasing: line[written..<(written + Timestamp.length)]))
        written += Timestamp.length
    }
}
