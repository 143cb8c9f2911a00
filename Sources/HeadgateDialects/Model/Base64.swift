enum Base64 {
    /// The text in base64, padded or not; nil for what is not base64 or not UTF-8.
    static func text(_ base64: String) -> String? {
        bytes(base64).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The bytes in base64, padded or not; nil for what is not base64.
    static func bytes(_ base64: String) -> [UInt8]? {
        var octets: [UInt8] = []
        octets.reserveCapacity(base64.utf8.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var count = 0
        for byte in base64.utf8 where byte != UInt8(ascii: "=") && byte != UInt8(ascii: "\n") {
            guard let value = value(of: byte) else { return nil }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            octets.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return octets
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Appends the bytes in base64, padded.
    static func append(_ bytes: [UInt8], to output: inout [UInt8]) {
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var bits: UInt32 = 0
            for place in 0..<3 { bits = bits << 8 | (place < count ? UInt32(bytes[start + place]) : 0) }
            for place in 0..<4 {
                let digit = Int(bits >> (18 - 6 * UInt32(place)) & 63)
                output.append(place <= count ? alphabet[digit] : UInt8(ascii: "="))
            }
        }
    }

    /// In the alphabet of URLs, without padding.
    static func url(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                output.append(alphabet[Int(bits >> count & 63)])
            }
        }
        if count > 0 { output.append(alphabet[Int(bits << (6 - count) & 63)]) }
        return String(decoding: output, as: UTF8.self)
    }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
