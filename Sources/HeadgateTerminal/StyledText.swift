/// Builds text for a terminal from safe characters, changes of style, and line breaks between words.
///
/// A word that might not fit is held until it ends, so that shown text never has to move.
package struct StyledText: Sendable {
    /// Width of the terminal, which can change at any time; nil if the terminal breaks full lines.
    package var columns: Int?
    /// Text that has not been taken.
    private var text = ""
    /// Current style of the terminal.
    private var current: TextStyle = []
    private var column = 0
    /// Width of the next character, which can depend on the previous one.
    private var width = DisplayWidth()
    /// The held word, and the spaces before it, which a line break replaces.
    private var word: [StyledCharacter] = []
    private var gap: [StyledCharacter] = []
    private var (wordWidth, gapWidth) = (0, 0)
    /// Whether the next character is shown at once, because the first word of a line cannot move to another line.
    private var isFirstWord = true
    private var isBlankLine = true
    /// Indentation of the lines that result from breaking this line.
    private var indent: [StyledCharacter] = []

    package init(columns: Int? = nil) { self.columns = columns }

    /// Adds any character.
    ///
    /// - Parameter wraps: Whether the line can be broken before it.
    mutating func append(_ scalar: Unicode.Scalar, _ style: TextStyle, wraps: Bool = true) {
        guard let safe = Neutralised.scalar(scalar) else { return }
        guard let columns, columns > 0 else {
            flushWord()
            return put(safe, style)
        }
        switch safe {
        case "\n":
            flushWord()
            put(safe, style)
            beginLine()
        case " ", "\t":
            width = DisplayWidth()
            if !wraps || !word.isEmpty { flushWord() }
            let room = safe == " " ? 1 : 8 - (column + gapWidth) % 8
            isFirstWord = isBlankLine
            if !wraps || isBlankLine { return show(safe, style, room, columns) }
            gap.append(StyledCharacter(safe, style))
            gapWidth += room
        default:
            isBlankLine = false
            add(StyledCharacter(safe, style), wraps: wraps, columns)
        }
    }

    /// Adds any text.
    package mutating func append(_ text: String, _ style: TextStyle = []) {
        for scalar in text.unicodeScalars { append(scalar, style) }
    }

    /// Adds characters in one line, which is not broken.
    mutating func append(exactly characters: some Sequence<StyledCharacter>) {
        for character in characters { append(character.scalar, character.style, wraps: false) }
    }

    /// Resets the state to that of the beginning of a line.
    mutating func beginLine() {
        (column, isFirstWord, isBlankLine, indent, width) = (0, true, true, [], DisplayWidth())
    }

    /// Adds an indentation for the continuation of this line after breaks, if there is room for it.
    mutating func hang(_ text: String, _ style: TextStyle = []) {
        guard let columns, indent.count + text.unicodeScalars.count <= columns / 2 else { return }
        indent += text.unicodeScalars.map { StyledCharacter($0, style) }
    }

    /// Returns the text since the last call. The terminal's style does not change.
    package mutating func take() -> String {
        defer { text = "" }
        return text
    }

    /// Returns the text including held parts, and resets the terminal's style.
    package mutating func takeLast() -> String {
        flushWord()
        if !current.isEmpty { text += TextStyle().sequence }
        current = []
        return take()
    }

    // MARK: Words

    private mutating func add(_ character: StyledCharacter, wraps: Bool, _ columns: Int) {
        let width = self.width.advance(character.scalar)
        // There are no spaces between wide characters, so a line can be broken before each.
        if width == 2 {
            if !word.isEmpty { flushWord() }
            if wraps, column + gapWidth + width > columns { breakLine() } else { flushWord() }
            isFirstWord = false
            return show(character.scalar, character.style, width, columns)
        }
        if !wraps || isFirstWord || (width == 0 && word.isEmpty) {
            flushWord()
            return show(character.scalar, character.style, width, columns)
        }
        word.append(character)
        wordWidth += width
        guard column + gapWidth + wordWidth > columns else { return }
        breakLine()
        flushWord()
        isFirstWord = true
    }

    private mutating func breakLine() {
        dropGap()
        put("\n", [])
        column = 0
        for character in indent {
            put(character.scalar, character.style)
            column += 1
        }
    }

    private mutating func flushWord() {
        for character in gap { put(character.scalar, character.style) }
        column += gapWidth
        dropGap()
        for character in word { put(character.scalar, character.style) }
        column += wordWidth
        word.removeAll(keepingCapacity: true)
        wordWidth = 0
    }

    private mutating func dropGap() {
        gap.removeAll(keepingCapacity: true)
        gapWidth = 0
    }

    private mutating func show(_ scalar: Unicode.Scalar, _ style: TextStyle, _ width: Int, _ columns: Int) {
        put(scalar, style)
        // The terminal breaks text that is longer than a line.
        column = column + width > columns ? width : column + width
    }

    private mutating func put(_ safe: Unicode.Scalar, _ style: TextStyle) {
        // The style changes only before a visible character.
        if style != current, safe != "\n" {
            text += style.sequence
            current = style
        }
        text.unicodeScalars.append(safe)
    }
}

/// A character and its style.
struct StyledCharacter: Equatable, Sendable {
    let scalar: Unicode.Scalar
    let style: TextStyle

    init(_ scalar: Unicode.Scalar, _ style: TextStyle) {
        self.scalar = scalar
        self.style = style
    }

    static func all(of text: String, _ style: TextStyle) -> [StyledCharacter] {
        text.unicodeScalars.map { StyledCharacter($0, style) }
    }
}
