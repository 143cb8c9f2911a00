/// Shows Markdown on a terminal in its original form as it arrives: without styles, with lines of text broken between
/// words. Code and tables are not broken. Control characters are made visible and never sent.
package struct PlainStream: Sendable {
    private enum Line: Sendable {
        /// A line that contains only spaces and marks so far. Three marks are a fence.
        case undecided(marks: [Unicode.Scalar])
        case text
        /// Code or a table row.
        case exact
    }

    private var output: StyledText
    private var line = Line.undecided(marks: [])
    private var isInFence = false

    package init(columns: Int? = nil) { output = StyledText(columns: columns) }

    /// Width of the terminal, which can change at any time.
    package var columns: Int? {
        get { output.columns }
        set { output.columns = newValue }
    }

    /// - Returns: Text that can be shown now.
    package mutating func feed(_ text: String) -> String {
        for scalar in text.unicodeScalars { take(scalar) }
        return output.take()
    }

    /// - Returns: The held text. Afterwards a new text can begin.
    package mutating func finish() -> String {
        decide(.text)
        defer { self = PlainStream(columns: columns) }
        return output.takeLast()
    }

    /// Continues after a text that was shown as a whole. The terminal's cursor is at the beginning of a line.
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
