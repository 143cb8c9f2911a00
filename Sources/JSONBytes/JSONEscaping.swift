/// Writes JSON string literals, including their quotes, with only the necessary escapes.
package enum JSONEscaping {
    package static func append(_ string: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { bytes in
            if isPlain(bytes) {
                output.append(contentsOf: bytes)
            } else {
                for byte in bytes { append(byte, to: &output) }
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Returns the literal.
    package static func literal(_ string: String) -> [UInt8] {
        var output: [UInt8] = []
        append(string, to: &output)
        return output
    }

    /// Appends the literal of a UTF-8 text; invalid bytes are replaced by U+FFFD.
    package static func append(bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        guard bytes.allSatisfy({ $0 < 0x80 }) else {
            append(String(decoding: bytes, as: UTF8.self), to: &output)
            return
        }
        output.append(UInt8(ascii: "\""))
        for byte in bytes { append(byte, to: &output) }
        output.append(UInt8(ascii: "\""))
    }

    /// Returns whether no byte needs an escape.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = 0
        // There is no early exit, so that one instruction can check many bytes.
        for byte in bytes {
            found |= byte < 0x20 ? 1 : 0
            found |= byte == UInt8(ascii: "\"") ? 1 : 0
            found |= byte == UInt8(ascii: "\\") ? 1 : 0
        }
        return found == 0
    }

    @inline(__always)
    private static func append(_ byte: UInt8, to output: inout [UInt8]) {
        if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            output.append(byte)
        } else {
            appendEscape(of: byte, to: &output)
        }
    }

    private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case 0..<0x20:
            let low = byte & 0x0F
            output.append(contentsOf: "u00".utf8)
            output.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            output.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        default: output.append(byte)
        }
    }
}
