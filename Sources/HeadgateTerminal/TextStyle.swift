/// How a piece of text looks, as terminals know it since the VT220: nothing here depends on a palette.
package struct TextStyle: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = TextStyle(rawValue: 1)
    package static let dim = TextStyle(rawValue: 2)
    package static let italic = TextStyle(rawValue: 4)
    package static let underlined = TextStyle(rawValue: 8)
    package static let struck = TextStyle(rawValue: 16)
    /// The colour of code.
    package static let code = TextStyle(rawValue: 32)
    /// The colour of complaints.
    package static let alarming = TextStyle(rawValue: 64)

    /// The sequence (SGR) after which text looks so, whatever it looked like before.
    package var sequence: String {
        let codes: [(TextStyle, String)] = [
            (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underlined, "4"), (.struck, "9"), (.code, "36"),
            (.alarming, "31"),
        ]
        return "\u{1B}[0" + codes.filter { contains($0.0) }.map { ";" + $0.1 }.joined() + "m"
    }
}

/// Text for a terminal as it is put together: characters that are safe, and the changes of style between them.
package struct StyledText: Sendable {
    /// What has been put together and not been taken.
    private var text = ""
    /// How what comes next would look, as far as the terminal knows.
    private var current: TextStyle = []

    package init() {}

    /// Adds a character, which may be any.
    mutating func append(_ scalar: Unicode.Scalar, _ style: TextStyle) {
        guard let safe = Neutralised.scalar(scalar) else { return }
        // A change of style waits for something to see.
        if style != current, safe != "\n" {
            text += style.sequence
            current = style
        }
        text.unicodeScalars.append(safe)
    }

    /// Adds a text, which may hold anything.
    package mutating func append(_ text: String, _ style: TextStyle = []) {
        for scalar in text.unicodeScalars { append(scalar, style) }
    }

    /// What has come since the last time. The terminal's style is left as it is.
    package mutating func take() -> String {
        defer { text = "" }
        return text
    }

    /// The same, after which the terminal writes plainly.
    package mutating func takeLast() -> String {
        if !current.isEmpty { text += TextStyle().sequence }
        current = []
        return take()
    }
}
