/// Parses words typed after a command. As in a shell, quotes and backslashes preserve spaces.
package enum QuotedWords {
    /// - Parameter readsEscapes: Whether `\n` and `\t` are a line break and a tab, except in single quotes. Otherwise a
    ///   backslash escapes the next character, as in the names of files dragged into a terminal.
    /// - Returns: The words. An unclosed quote extends to the end.
    package static func split(_ text: String, readsEscapes: Bool = false) -> [String] {
        var words: [String] = []
        var word: String.UnicodeScalarView?
        var quote: Unicode.Scalar?
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                word?.append(readsEscapes ? meaning(of: scalar) : scalar)
                isEscaped = false
            } else if scalar == "\\", quote != "'" {
                word = word ?? String.UnicodeScalarView()
                isEscaped = true
            } else if scalar == quote {
                quote = nil
            } else if quote == nil, scalar == "\"" || scalar == "'" {
                quote = scalar
                word = word ?? String.UnicodeScalarView()
            } else if quote == nil, scalar.isSpace {
                if let word { words.append(String(word)) }
                word = nil
            } else {
                word = word ?? String.UnicodeScalarView()
                word?.append(scalar)
            }
        }
        if isEscaped { word?.append("\\") }
        if let word { words.append(String(word)) }
        return words
    }

    /// Returns a text without quotes around all of it.
    package static func unquoted(_ text: String) -> String {
        let pairs: [(Character, Character)] = [("\"", "\""), ("'", "'"), ("“", "”"), ("‘", "’"), ("„", "“")]
        for (opening, closing) in pairs where text.count >= 2 && text.first == opening && text.last == closing {
            let inside = text.dropFirst().dropLast()
            if !inside.contains(opening), !inside.contains(closing) { return String(inside) }
        }
        return text
    }

    private static func meaning(of escaped: Unicode.Scalar) -> Unicode.Scalar {
        switch escaped {
        case "n": "\n"
        case "t": "\t"
        default: escaped
        }
    }
}
