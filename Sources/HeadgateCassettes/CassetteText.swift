internal import HeadgatePrimitives

/// Writes bytes as lines of text, so that text stays readable and nothing is lost.
///
/// The first character of a line defines its content. `|` is text and LF, `^` is text and CR LF, `>` is text alone, and
/// `=` is bytes in base64. A space precedes the text, unless it is empty.
enum CassetteText {
    /// The number of bytes in one line of base64.
    private static let octetsPerLine = 72

    static func append(_ bytes: [UInt8], to output: inout [UInt8]) {
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let feed = bytes[start...].firstIndex(of: 0x0A)
            let end = feed.map { $0 + 1 } ?? bytes.endIndex
            append(line: bytes[start..<end], endsInFeed: feed != nil, to: &output)
            start = end
        }
    }

    private static func append(line: ArraySlice<UInt8>, endsInFeed: Bool, to output: inout [UInt8]) {
        var text = endsInFeed ? line.dropLast() : line
        var marker = endsInFeed ? UInt8(ascii: "|") : UInt8(ascii: ">")
        if endsInFeed, text.last == 0x0D {
            text = text.dropLast()
            marker = UInt8(ascii: "^")
        }
        guard isReadable(text) else { return appendBase64(line, to: &output) }
        output.append(marker)
        if !text.isEmpty { output.append(0x20) }
        output.append(contentsOf: text)
        output.append(0x0A)
    }

    private static func appendBase64(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
        var rest = bytes
        while !rest.isEmpty {
            output.append(contentsOf: "= \(Base64.encode(rest.prefix(octetsPerLine)))\n".utf8)
            rest = rest.dropFirst(octetsPerLine)
        }
    }

    /// Returns whether a text is shown as it is, and not changed by editors. It must be valid UTF-8 without control
    /// characters, line ends, changes of direction and trailing white space.
    private static func isReadable(_ text: ArraySlice<UInt8>) -> Bool {
        if text.last == 0x20 || text.last == 0x09 { return false }
        guard text.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return true }
        guard let decoded = String(validating: text, as: UTF8.self) else { return false }
        return decoded.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09: true
            case ..<0x20, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: false
            default: true
            }
        }
    }

    /// Appends the bytes that a line represents.
    ///
    /// - Returns: nil if the line is valid, and otherwise the reason why it is not.
    static func read(_ line: ArraySlice<UInt8>, into bytes: inout [UInt8]) -> String? {
        var text = line.dropFirst()
        if !text.isEmpty {
            guard text.first == 0x20 else { return "expected a space after the first character" }
            text = text.dropFirst()
        }
        switch line.first {
        case UInt8(ascii: "="):
            guard let octets = Base64.decode(String(decoding: text, as: UTF8.self)), !octets.isEmpty else {
                return "expected base64 after '='"
            }
            bytes += octets
            return nil
        case UInt8(ascii: "|"): bytes += text + [0x0A]
        case UInt8(ascii: "^"): bytes += text + [0x0D, 0x0A]
        default: bytes += text
        }
        return nil
    }

    /// Returns whether a line represents bytes.
    static func isContent(_ line: ArraySlice<UInt8>) -> Bool { line.first.map(markers.contains) ?? false }

    private static let markers = Array("|^>=".utf8)
}
