internal import HeadgatePrimitives

/// Values in YAML syntax, such that parsing returns them unchanged.
package enum YAMLText {
    /// Returns a key of a mapping, or another text that is not interpolated.
    package static func scalar(_ text: String) -> String {
        isPlain(text) ? text : "\"\(escapedForQuotes(text))\""
    }

    /// Returns a literal value, in which a dollar sign does not begin a variable.
    package static func literal(_ text: String) -> String { scalar(text.replacing("$", with: "$$")) }

    /// Returns `${NAME}`, or `${NAME:?message}` with a message for a start without the variable.
    package static func variable(_ name: String, otherwise message: String? = nil) -> String {
        guard let message else { return "${\(name)}" }
        return scalar("${\(name):?\(message)}")
    }

    /// Returns the text as a comment on its own line.
    package static func comment(_ text: String) -> String { "# \(escaped(text))" }

    /// Returns whether a text needs no quotes: it is not a number and has no other meaning in YAML.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, ASCII.isLetter(first) || first == UInt8(ascii: "/") else { return false }
        let isSafe = text.utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-_./:@+".utf8.contains(byte)
        }
        // A colon before a space or at the end would begin a mapping. In a flow mapping, only the end matters.
        return isSafe && text.utf8.last != UInt8(ascii: ":")
            && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(text.lowercasedASCII)
    }

    /// Returns the text escaped for double quotes.
    private static func escapedForQuotes(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            default:
                if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar.value == 0xFEFF
                    || (0x2028...0x2029).contains(scalar.value)
                {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }
}
