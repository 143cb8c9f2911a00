enum Base64 {
    /// The text that stands in base64, padded or not; nil for what is no base64 or no UTF-8.
    static func text(_ base64: String) -> String? {
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
        return String(validating: octets, as: UTF8.self)
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
