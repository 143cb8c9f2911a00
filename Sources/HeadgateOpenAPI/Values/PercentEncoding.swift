/// The percent-encoding of RFC 3986.
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Everything but unreserved characters is escaped, so the text fits into a path segment and a query alike.
    static func encode(_ text: String) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: output.append(byte)
            default: output += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Nil for a broken escape, an escaped NUL, or what is not UTF-8.
    static func decode(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { decode($0[...]) }
    }

    /// The same of octets of a text.
    static func decode(_ text: Slice<UnsafeBufferPointer<UInt8>>, plusIsSpace: Bool = false) -> String? {
        guard isEncoded(text, plusIsSpace: plusIsSpace) else { return String(decoding: text, as: UTF8.self) }
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case 0x2B where plusIsSpace: output.append(0x20)
            case 0x25:
                guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value),
                    high << 4 | low != 0
                else { return nil }
                output.append(high << 4 | low)
            default: output.append(byte)
            }
        }
        return String(validating: output, as: UTF8.self)
    }

    /// Whether the text differs from what it says.
    static func isEncoded(_ text: Slice<UnsafeBufferPointer<UInt8>>, plusIsSpace: Bool) -> Bool {
        text.contains { $0 == 0x25 || $0 == 0x2B && plusIsSpace }
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }
}
