/// Shows Markdown on a terminal as it was written, while it comes: without styles, with lines of text broken between
/// words. Code and tables stay as they are, and control characters are shown, never sent.
package struct PlainStream: Sendable {
    private enum Line: Sendable {
        /// So far it holds nothing but spaces and these marks, of which three make a fence.
        case undecided(marks: [Unicode.Scalar])
        case text
        /// Code, or a row of a table.
        case exact
    }

    private var output: StyledText
    private var line = Line.undecided(marks: [])
    private var isInFence = false

    package init(columns: Int? = nil) { output = StyledText(columns: columns) }

    /// The terminal's width, which may change at any time.
    package var columns: Int? {
        get { output.columns }
        set { output.columns = newValue }
    }

    /// - Returns: what can be shown now.
    package mutating func feed(_ text: String) -> String {
        for scalar in text.unicodeScalars { take(scalar) }
        return output.take()
    }

    /// - Returns: what was held back. Afterwards a new text may begin.
    package mutating func finish() -> String {
        decide(.text)
        defer { self = PlainStream(columns: columns) }
        return output.takeLast()
    }

    /// Goes on behind a text that was shown as a whole, at the beginning of a line of the terminal.
    package mutating func resume(after text: String) {
        _ = feed(text)
        decide(.text)
        output = StyledText(columns: columns)
        if text.unicodeScalars.last == "\n" { line = .undecided(marks: []) }
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
        if scalar == "\n" {
            decide(.text)
            output.append(scalar, [])
            line = .undecided(marks: [])
            return
        }
        if case .undecided(let marks) = line {
            switch scalar {
            case "`", "~":
                line = .undecided(marks: marks + [scalar])
                guard marks.count == 2 else { return }
                decide(.exact)
                isInFence.toggle()
                return
            case " " where marks.isEmpty: return output.append(scalar, [], wraps: false)
            case "|" where marks.isEmpty: decide(.exact)
            default: decide(isInFence ? .exact : .text)
            }
        }
        if case .exact = line { output.append(scalar, [], wraps: false) } else { output.append(scalar, []) }
    }

    /// Sets the kind of the line, if it was unknown.
    private mutating func decide(_ kind: Line) {
        guard case .undecided(let marks) = line else { return }
        for mark in marks { output.append(mark, [], wraps: false) }
        line = kind
    }
}
