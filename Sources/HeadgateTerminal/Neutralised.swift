// HeadgateTerminal: makes a model's output safe for a terminal. It processes text only, and has no access to
// descriptors, sizes or settings.

/// Makes text from other sources safe for a terminal, so that it cannot contain commands for it.
package enum Neutralised {
    /// Returns the text with control characters other than newline and tab made visible.
    package static func text(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { if let safe = self.scalar(scalar) { shown.append(safe) } }
        return String(shown)
    }

    /// Returns a name on one line.
    package static func line(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isBreak = scalar == "\n" || scalar == "\t"
            if let safe = isBreak ? " " : self.scalar(scalar) { shown.append(safe) }
        }
        return String(shown)
    }

    /// Returns the replacement for a character; nil for a carriage return, which would let a text overwrite itself.
    static func scalar(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x0A, 0x09: scalar
        case 0x0D: nil
        // Symbols for control characters.
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value)
        case 0x7F: "\u{2421}"
        // The C1 set contains single-character commands such as CSI and OSC.
        case 0x80..<0xA0: "\u{FFFD}"
        // Directional marks, embeddings, overrides and isolates make a text look like another one. So do separators
        // that end a line only in some programs. The log hides the same characters. Joiners are preserved, because
        // emoji contain them.
        case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: scalar
        }
    }
}
