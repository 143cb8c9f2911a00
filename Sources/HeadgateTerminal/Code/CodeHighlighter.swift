/// Highlights code as it arrives: keywords, strings, comments and numbers.
///
/// A word is held until it ends, and so is a possible beginning of a string or a comment. The result does not depend on
/// the fragmentation of the code, and contains all its characters. Code in another language only gets wrong colors, at
/// most to the end of the block.
struct CodeHighlighter: Sendable {
    private enum State: Sendable {
        case plain
        /// A word that can become a keyword.
        case word
        /// A word or a number that can continue.
        case rest(TextStyle)
        case span(CodeLanguage.Span)
        /// A style up to the end of the line.
        case line(TextStyle)
    }

    private let language: CodeLanguage
    private var state = State.plain
    /// Held characters: a word, or a possible beginning of a span.
    private var held: [Unicode.Scalar] = []
    /// Last characters of a span, which can contain its end.
    private var tail: [Unicode.Scalar] = []
    private var isEscaped = false
    /// Last returned character of this line.
    private var previous: Unicode.Scalar?

    init(_ language: CodeLanguage) { self.language = language }

    /// Processes the next character of a line.
    mutating func feed(_ scalar: Unicode.Scalar, to output: inout [StyledCharacter]) {
        if language.isDifference, previous == nil { state = .line(CodeHighlighter.styleOfChange(scalar)) }
        switch state {
        case .plain:
            held.append(scalar)
            settle(isWhole: false, to: &output)
        case .word where isWordPart(scalar):
            held.append(scalar)
            if held.count > language.longestKeyword {
                give(takeHeld(), [], to: &output)
                state = .rest([])
            }
        case .word:
            endWord(to: &output)
            feed(scalar, to: &output)
        case .rest(let style) where isWordPart(scalar): give([scalar], style, to: &output)
        case .rest:
            state = .plain
            feed(scalar, to: &output)
        case .span(let span): feed(scalar, in: span, to: &output)
        case .line(let style): give([scalar], style, to: &output)
        }
    }

    /// Processes the end of a line.
    mutating func endLine(to output: inout [StyledCharacter]) {
        while !held.isEmpty {
            if case .word = state { endWord(to: &output) } else { settle(isWhole: true, to: &output) }
        }
        if case .span(let span) = state, span.isOfSeveralLines {} else { state = .plain }
        (tail, isEscaped, previous) = ([], false, nil)
    }

    /// Outputs the held characters that are certain.
    ///
    /// - Parameter isWhole: Whether the line has no further characters.
    private mutating func settle(isWhole: Bool, to output: inout [StyledCharacter]) {
        while !held.isEmpty {
            let spans = language.spans.filter { !$0.needsSpace || previous?.isSpace != false }
            let isOpen = spans.contains { $0.opening.count > held.count && $0.opening.starts(with: held) }
            if isOpen, !isWhole { return }
            let begun = spans.filter { held.starts(with: $0.opening) }.max { $0.opening.count < $1.opening.count }
            let first = held[0]
            let count = begun?.opening.count ?? 1
            let rest = held.dropFirst(count)
            if let begun {
                give(held.prefix(count), begun.style, to: &output)
                state = .span(begun)
            } else if isWordPart(first), !isDigit(first) {
                held = [first]
                state = .word
                for scalar in rest { feed(scalar, to: &output) }
                return
            } else {
                let style: TextStyle = isDigit(first) ? .number : []
                give([first], style, to: &output)
                if isDigit(first) { state = .rest(style) }
            }
            held = []
            if case .plain = state {
                held = Array(rest)
            } else {
                for scalar in rest { feed(scalar, to: &output) }
                return
            }
        }
    }

    private mutating func feed(
        _ scalar: Unicode.Scalar, in span: CodeLanguage.Span, to output: inout [StyledCharacter]
    ) {
        give([scalar], span.style, to: &output)
        if isEscaped || scalar == span.escape {
            isEscaped = !isEscaped
            tail = []
            return
        }
        guard let closing = span.closing else { return }
        tail = (tail + [scalar]).suffix(closing.count)
        guard tail == closing else { return }
        tail = []
        state = .plain
    }

    private mutating func endWord(to output: inout [StyledCharacter]) {
        let word = takeHeld()
        var text = String.UnicodeScalarView()
        text.append(contentsOf: word)
        let name = language.ignoresCase ? String(text).lowercased() : String(text)
        give(word, language.keywords.contains(name) ? .keyword : [], to: &output)
        state = .plain
    }

    private mutating func takeHeld() -> [Unicode.Scalar] {
        defer { held = [] }
        return held
    }

    private mutating func give(
        _ scalars: some Sequence<Unicode.Scalar>, _ style: TextStyle, to output: inout [StyledCharacter]
    ) {
        for scalar in scalars {
            output.append(StyledCharacter(scalar, style))
            previous = scalar
        }
    }

    private func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.isWordCharacter || language.wordCharacters.contains(scalar)
    }

    private func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func styleOfChange(_ first: Unicode.Scalar) -> TextStyle {
        switch first {
        case "+": .string
        case "-": .alarming
        case "@": .keyword
        default: []
        }
    }
}
