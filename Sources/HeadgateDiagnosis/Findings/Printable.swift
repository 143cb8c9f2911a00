/// Makes text of unknown origin safe for a terminal.
package enum Printable {
    private static let longest = 240

    /// Returns one line without control characters, cut if it is too long.
    package static func line(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars.prefix(longest + 1) {
            output.unicodeScalars.append(isPlain(scalar) ? scalar : "\u{FFFD}")
        }
        guard output.unicodeScalars.count > longest else { return output }
        return String(output.unicodeScalars.prefix(longest)) + "..."
    }

    /// Returns whether a scalar is neither a control character nor one that changes the direction of the text after it.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

/// Formats times for people.
enum Clock {
    /// Returns a text such as `0.4 ms`, `12 ms` or `1.3 s`.
    static func text(_ nanoseconds: UInt64) -> String {
        let milliseconds = Double(nanoseconds) / 1e6
        if milliseconds < 10 { return "\(tenths(milliseconds)) ms" }
        if milliseconds < 1000 { return "\(Int(milliseconds.rounded())) ms" }
        return "\(tenths(milliseconds / 1000)) s"
    }

    static func milliseconds(_ count: UInt64) -> UInt64 { count * 1_000_000 }

    private static func tenths(_ value: Double) -> String {
        let scaled = Int((value * 10).rounded())
        return "\(scaled / 10).\(scaled % 10)"
    }
}

/// Returns a text such as `1 event` or `2 events`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// Removes secrets from text.
enum Redaction {
    /// Returns the text with every secret replaced.
    ///
    /// - Parameter secrets: The secrets to hide; empty texts are ignored.
    static func text(_ text: String, without secrets: Set<String>) -> String {
        // The longest secret comes first, because one may be the beginning of another.
        let wanted = secrets.filter { !$0.isEmpty }.map { Array($0.utf8) }.sorted { $0.count > $1.count }
        guard !wanted.isEmpty else { return text }
        // Bytes are compared instead of characters, because a combining accent after a secret would change its last
        // character.
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var offset = 0
        while offset < bytes.count {
            if let secret = wanted.first(where: { bytes[offset...].starts(with: $0) }) {
                output += "<redacted>".utf8
                offset += secret.count
            } else {
                output.append(bytes[offset])
                offset += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
