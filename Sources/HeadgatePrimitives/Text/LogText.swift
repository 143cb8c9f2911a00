/// Makes text safe for a log: without control characters, line ends and changes of direction.
package enum LogText {
    /// Returns whether a character is escaped: a control character (C0, C1), a mark or override of direction, or a line
    /// separator.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Returns the text with such characters, except line feeds and tabs, as `\u` escapes.
    package static func shown(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isPlain) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if isHidden(scalar), scalar != "\n", scalar != "\t" {
                appendEscape(of: scalar, to: &shown)
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// Returns a foreign text for use inside a line, with line feeds and tabs escaped, too.
    package static func line(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isPlain) else { return text }
        var line = ""
        for scalar in text.unicodeScalars {
            if isHidden(scalar) { appendEscape(of: scalar, to: &line) } else { line.unicodeScalars.append(scalar) }
        }
        return line
    }

    /// Returns whether a byte is a visible ASCII character or a space.
    package static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

    private static func appendEscape(of scalar: Unicode.Scalar, to text: inout String) {
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Escapes characters inside a JSON literal that JSON does not require to be escaped.
    package static func hide(in literal: [UInt8]) -> [UInt8] {
        var text = ""
        for scalar in String(decoding: literal, as: UTF8.self).unicodeScalars {
            if isHidden(scalar) { appendEscape(of: scalar, to: &text) } else { text.unicodeScalars.append(scalar) }
        }
        return Array(text.utf8)
    }
}
