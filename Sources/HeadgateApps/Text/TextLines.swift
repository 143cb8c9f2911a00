/// Splits a text into lines with their endings, so that joining them restores every byte.
enum TextLines {
    /// Returns the lines with their line feeds, which the last line may lack; empty for an empty text.
    static func split(_ text: String) -> [String] {
        var lines: [String] = []
        var start = text.utf8.startIndex
        while let feed = text.utf8[start...].firstIndex(of: 0x0A) {
            let next = text.utf8.index(after: feed)
            lines.append(String(decoding: text.utf8[start..<next], as: UTF8.self))
            start = next
        }
        if start < text.utf8.endIndex { lines.append(String(decoding: text.utf8[start...], as: UTF8.self)) }
        return lines
    }

    /// Returns the line ending that the text uses.
    static func ending(of text: String) -> String {
        guard let feed = text.utf8.firstIndex(of: 0x0A), feed > text.utf8.startIndex else { return "\n" }
        return text.utf8[text.utf8.index(before: feed)] == 0x0D ? "\r\n" : "\n"
    }

    /// Returns the line without its ending and the spaces around it.
    static func trimmed(_ line: String) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let bytes = Array(line.utf8)
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    /// Returns whether the line begins with the bytes of a prefix.
    static func begins(_ line: String, with prefix: String) -> Bool { line.utf8.starts(with: prefix.utf8) }
}
