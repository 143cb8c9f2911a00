internal import HeadgatePrimitives

/// Text with its escapes decoded, and the place of each decoded byte in the source.
struct DecodedText {
    private(set) var bytes: [UInt8] = []
    /// Offset in the source of each byte, followed by the length of the source.
    private var starts: [Int] = []

    /// Decodes percent-encoded bytes.
    init(percentDecoding text: [UInt8]) {
        self.init(text) { index in
            guard text[index] == 0x25, let octet = DecodedText.octet(text, at: index + 1) else { return nil }
            return (octet, 3)
        }
    }

    /// Decodes the escapes of JSON strings that represent ASCII characters.
    init(unescaping text: [UInt8]) {
        self.init(text) { index in
            guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else { return nil }
            guard text[index + 1] == UInt8(ascii: "u") else { return (text[index + 1], 2) }
            guard DecodedText.octet(text, at: index + 2) == 0, let octet = DecodedText.octet(text, at: index + 4) else {
                return nil
            }
            return (octet, 6)
        }
    }

    /// - Parameter escape: returns the byte and the length of the escape at an index; nil if there is no escape.
    private init(_ text: [UInt8], _ escape: (Int) -> (UInt8, length: Int)?) {
        var index = 0
        while index < text.count {
            starts.append(index)
            let (octet, length) = escape(index) ?? (text[index], 1)
            bytes.append(octet)
            index += length
        }
        starts.append(index)
    }

    /// Marks the bytes of the source that a range of decoded bytes was decoded from.
    func mark(_ range: Range<Int>, in marks: inout [Bool]) {
        for index in starts[range.lowerBound]..<starts[range.upperBound] { marks[index] = true }
    }

    /// Reads two hexadecimal digits.
    private static func octet(_ text: [UInt8], at index: Int) -> UInt8? {
        guard index + 1 < text.count, let high = PercentEncoding.digit(text[index]),
            let low = PercentEncoding.digit(text[index + 1])
        else {
            return nil
        }
        return high << 4 | low
    }
}
