/// The percent-encoding of URLs (RFC 3986 section 2.1).
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Escapes everything except unreserved characters, so that the text can be used in a path segment and in a query.
    package static func encode(_ text: String) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: output.append(byte)
            default: output += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Encodes one segment of a path. Dot segments keep their special meaning even if escaped, so they become another
    /// text.
    package static func segment(_ text: String) -> String {
        text == "." || text == ".." ? "%2E" : encode(text)
    }

    /// Decodes a text; returns nil for an invalid escape, a NUL, or bytes that are not UTF-8.
    package static func decode(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { decode($0[...]) }
    }

    /// Decodes the bytes of a text.
    package static func decode(_ text: Slice<UnsafeBufferPointer<UInt8>>, plusIsSpace: Bool = false) -> String? {
        guard isEncoded(text, plusIsSpace: plusIsSpace) else { return String(decoding: text, as: UTF8.self) }
        guard let output = octets(text, plusIsSpace: plusIsSpace), !output.contains(0) else { return nil }
        // Decoding as UTF-8 replaces invalid bytes, and changes nothing else.
        let text = String(decoding: output, as: UTF8.self)
        return text.utf8.elementsEqual(output) ? text : nil
    }

    /// Decodes a text into bytes; returns nil for an invalid escape.
    package static func octets(_ text: some Collection<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x2B where plusIsSpace: output.append(0x20)
            case 0x25:
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                output.append(high << 4 | low)
            default: output.append(byte)
            }
        }
        return output
    }

    /// Returns whether decoding changes the text.
    package static func isEncoded(_ text: Slice<UnsafeBufferPointer<UInt8>>, plusIsSpace: Bool) -> Bool {
        text.contains { $0 == 0x25 || $0 == 0x2B && plusIsSpace }
    }

    /// Returns the value of a hexadecimal digit. `UInt8(_:radix:)` also accepts a sign.
    package static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
