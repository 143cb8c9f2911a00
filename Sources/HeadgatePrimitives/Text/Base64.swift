/// Base64 (RFC 4648).
package enum Base64 {
    /// Encodes bytes in the standard alphabet, with padding.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the encoding to a text.
    package static func append(_ bytes: some Collection<UInt8>, to text: inout [UInt8]) {
        text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
        append(bytes, standard, to: &text)
        let padding = [0, 2, 1][bytes.count % 3]
        text.append(contentsOf: repeatElement(UInt8(ascii: "="), count: padding))
    }

    /// Encodes bytes in the alphabet of URLs, without padding.
    package static func encodeForURL(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        append(bytes, ofURLs, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text in the standard alphabet with padding; returns nil for anything else.
    package static func decode(_ text: String) -> [UInt8]? {
        let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard text.utf8.count.isMultiple(of: 4), padding <= 2, !text.utf8.contains(where: { $0 == 0x2D || $0 == 0x5F })
        else { return nil }
        return octets(text.utf8.dropLast(padding))
    }

    /// Decodes a text in either alphabet, with or without padding and line breaks; returns nil for anything else.
    package static func decodeLeniently(_ text: String) -> [UInt8]? {
        octets(text.utf8.lazy.filter { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "\n") })
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standard = Array((letters + "+/").utf8)
    private static let ofURLs = Array((letters + "-_").utf8)

    private static func append(_ bytes: some Collection<UInt8>, _ alphabet: [UInt8], to text: inout [UInt8]) {
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = (bits << 8 | UInt32(byte)) & 0xFFFF
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> UInt32(count) & 63)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
    }

    private static func octets(_ digits: some Sequence<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(digits.underestimatedCount / 4 * 3 + 2)
        var bits: UInt32 = 0
        var count = 0
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return output
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
