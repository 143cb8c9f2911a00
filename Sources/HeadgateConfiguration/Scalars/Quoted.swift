/// Text that replaces a secret in output.
let redactedText = "<redacted>"

/// Returns the text in quotes, escaped for a terminal, and cut after 64 characters. A likely secret is redacted.
func quoted(_ text: String) -> String {
    looksLikeSecret(text) ? redactedText : "\"\(escaped(text, limit: 64))\""
}

/// Returns the text with its control characters escaped, so that it cannot control a terminal.
func escaped(_ text: String, limit: Int = 1024) -> String {
    var result = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
        guard index < limit else { return result + "..." }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
            result += "\\u{\(String(scalar.value, radix: 16))}"
        default:
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// Returns the words as `a, b or c`.
func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) or \(last)"
}

/// Writes JSON.
enum JSONText {
    /// Returns a string literal with its quotes (RFC 8259 7).
    static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
