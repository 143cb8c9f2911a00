/// Finds surrogates that JSON escapes write without their other half; a full pair is `\ud83c\udf0d`.
struct SurrogateScan {
    enum Half: Equatable {
        case high
        case low
    }

    private(set) var loose: [Half] = []
    /// The number of escapes of U+FFFD, with which a decoder marks what it could not decode.
    private(set) var replacements = 0

    init(json bytes: [UInt8]) {
        var offset = 0
        var open = false
        while offset < bytes.count {
            guard bytes[offset] == UInt8(ascii: "\\") else {
                offset += 1
                close(&open)
                continue
            }
            guard let unit = SurrogateScan.unit(bytes, at: offset) else {
                offset += 2
                close(&open)
                continue
            }
            offset += 6
            switch unit {
            case 0xD800...0xDBFF:
                close(&open)
                open = true
            case 0xDC00...0xDFFF:
                if !open { loose.append(.low) }
                open = false
            default:
                close(&open)
                if unit == 0xFFFD { replacements += 1 }
            }
        }
        close(&open)
    }

    /// Records a first half that has no second half.
    private mutating func close(_ open: inout Bool) {
        if open { loose.append(.high) }
        open = false
    }

    private static func unit(_ bytes: [UInt8], at backslash: Int) -> UInt16? {
        guard backslash + 6 <= bytes.count, bytes[backslash + 1] == UInt8(ascii: "u") else { return nil }
        let digits = String(decoding: bytes[(backslash + 2)..<(backslash + 6)], as: UTF8.self)
        // A sign, which `UInt16(_:radix:)` also accepts, leaves three digits, and no number sought here has so few.
        return UInt16(digits, radix: 16)
    }
}
