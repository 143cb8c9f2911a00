// HeadgateTerminal: what a model says, made fit for a terminal. Pure text: nothing here knows a descriptor, a size or a
// setting.

/// Text that others wrote and that is shown on a terminal: nothing in it may be a command to the terminal.
package enum Neutralised {
    /// The text with every control character but newline and tab shown instead of sent.
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
        // Pictures of the control characters.
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value)
        case 0x7F: "\u{2421}"
        // The C1 set holds commands of one character, such as CSI and OSC.
        case 0x80..<0xA0: "\u{FFFD}"
        // Marks, embeddings, overrides and isolates of direction make a text look like another, and so do separators
        // that end a line only for some. The same characters are hidden in logs. Joiners stay: emoji are made with
        // them.
        case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: scalar
        }
    }
}
