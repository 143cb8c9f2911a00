/// Shows Markdown on a terminal as it arrives.
///
/// Text is shown as soon as its kind is clear. Plain text is shown at once, emphasis and inline code when they are
/// closed, and a table when it is complete. The beginning of a line is shown when it identifies the kind of the line.
/// Shown text never changes, so nothing flickers, and everything can be scrolled and copied. The result does not depend
/// on the fragmentation of the text. Control characters are made visible and never sent. Lines are broken between
/// words, and table cells within their columns; code is not broken.
package struct MarkdownStream: Sendable {
    private enum Line: Sendable {
        case undecided
        case code
        case text(TextStyle)
        /// A line that begins with a vertical bar. Whether it belongs to a table is clear when it is complete.
        case row
    }

    private static let ruleWidth = 40
    /// Maximum characters needed to classify a line.
    private static let startWindow = 4096
    private static let longestRow = 16 << 10
    /// Maximum depth of nested quotes. Marks beyond it are text.
    private static let deepestQuote = 32

    private var output = StyledText()
    /// Characters of the current line that have not been shown.
    private var pending: [Unicode.Scalar] = []
    private var line = Line.undecided
    private var inline = InlineText()
    private var fence: LineStart.Fence?
    private var highlighter: CodeHighlighter?
    /// Depth of the quotes around this line.
    private var depth = 0
    private var rows = HeldRows()
    private var isInList = false
    /// Whether the previous line was blank or indented code.
    private var allowsIndentedCode = true

    /// - Parameter columns: Width of the terminal; nil to break no lines.
    package init(columns: Int? = nil) { output = StyledText(columns: columns) }

    /// Width of the terminal, which can change at any time.
    package var columns: Int? {
        get { output.columns }
        set { output.columns = newValue }
    }

    /// - Returns: Text that can be shown now.
    package mutating func feed(_ text: String) -> String {
        for scalar in text.unicodeScalars {
            if scalar == "\n" { endLine() } else if scalar != "\r" { pending.append(scalar) }
        }
        advance(isWhole: false)
        return output.take()
    }

    /// - Returns: The held text. Afterwards the terminal's style is reset, and a new text can begin.
    package mutating func finish() -> String {
        advance(isWhole: true)
        if case .row = line {
            takeRow()
            showRows(isLast: true)
        } else {
            endCode()
            showRows()
        }
        defer { self = MarkdownStream(columns: columns) }
        return output.takeLast()
    }

    /// Continues after a text that was shown as a whole. The terminal's cursor is at the beginning of a line.
    package mutating func resume(after text: String) {
        _ = feed(text)
        rows.resume(columns: columns)
        pending.removeAll()
        output = StyledText(columns: columns)
        switch line {
        case .code: endCode()
        case .undecided where text.isEmpty || text.unicodeScalars.last == "\n": break
        case .undecided, .row, .text: line = fence == nil ? .text([]) : .code
        }
        _ = output.takeLast()
        output.beginLine()
    }

    private mutating func endLine() {
        advance(isWhole: true)
        if case .row = line {
            takeRow()
        } else {
            endCode()
            output.append("\n")
        }
        pending.removeAll(keepingCapacity: true)
        line = .undecided
        inline = InlineText()
        depth = 0
    }

    private mutating func advance(isWhole: Bool) {
        do {
            while case .undecided = line, !(pending.isEmpty && !isWhole) { try begin(isWhole: isWhole) }
        } catch {
            return
        }
        if case .row = line, pending.count > MarkdownStream.longestRow { begin(.paragraph) }
        switch line {
        case .undecided, .row: return
        case .code:
            showCode()
            pending.removeAll(keepingCapacity: true)
        case .text(let style):
            var characters: [StyledCharacter] = []
            pending.removeFirst(inline.read(pending[...], style, isWhole: isWhole, to: &characters))
            for character in characters { output.append(character.scalar, character.style) }
        }
    }

    // MARK: Lines

    private mutating func begin(isWhole: Bool) throws {
        let text = Lookahead(pending[...], isWhole: isWhole, window: MarkdownStream.startWindow)
        guard let fence else {
            let allowsCode = allowsIndentedCode && !isInList && depth == 0
            return begin(try LineStart(readingFrom: text, allowsIndentedCode: allowsCode))
        }
        guard depth < fence.depth else { return begin(try LineStart(readingFrom: text, inside: fence)) }
        // A line that leaves the quote ends the code in it.
        let start = try LineStart(readingFrom: text, allowsIndentedCode: false)
        if case .quote = start {} else { (self.fence, highlighter) = (nil, nil) }
        begin(start)
    }

    private mutating func begin(_ start: LineStart) {
        let wasIndented = fence == nil && start == .code
        switch start {
        case .quote(let length) where depth < MarkdownStream.deepestQuote:
            pending.removeFirst(min(length, pending.count))
            depth += 1
            return
        case .tableRow:
            if rows.depth != depth { showRows() }
            line = .row
        default:
            showRows()
            showQuote(depth)
            show(start)
        }
        allowsIndentedCode = start == .blank || wasIndented
    }

    private mutating func show(_ start: LineStart) {
        switch start {
        case .fence(var opened):
            opened.depth = depth
            fence = opened
            highlighter = CodeBlock.language(inFence: pending[...]).map { CodeHighlighter($0) }
            showWhole(.dim)
        case .closingFence:
            (fence, highlighter) = (nil, nil)
            showWhole(.dim)
        case .code: line = .code
        case .heading(let level, let length):
            pending.removeFirst(length)
            line = .text(level == 1 ? [.bold, .underlined] : .bold)
            isInList = false
        case .bullet(let indentation, let length):
            pending.removeFirst(length)
            output.append(String(repeating: " ", count: indentation) + "• ")
            output.hang(String(repeating: " ", count: indentation + 2))
            line = .text([])
            isInList = true
        case .numbered:
            // The number is a part of the shown text.
            let number = (pending.firstIndex { $0 == "." || $0 == ")" } ?? 0) + 2
            output.hang(String(repeating: " ", count: number))
            line = .text([])
            isInList = true
        case .rule:
            pending = Array(String(repeating: "─", count: MarkdownStream.ruleWidth).unicodeScalars)
            showWhole(.dim)
            isInList = false
        case .paragraph:
            // A line without indentation ends a list, unless it continues the paragraph of an item.
            if allowsIndentedCode, pending.first != " " { isInList = false }
            line = .text([])
        case .blank, .quote, .tableRow: line = .text([])
        }
    }

    private mutating func showQuote(_ depth: Int) {
        for _ in 0..<depth {
            output.append("│ ", .dim)
            output.hang("│ ", .dim)
        }
    }

    private mutating func showWhole(_ style: TextStyle) {
        output.append(exactly: pending.map { StyledCharacter($0, style) })
        pending.removeAll(keepingCapacity: true)
        line = .text(style)
    }

    // MARK: Code

    private mutating func showCode() {
        guard highlighter != nil else {
            return output.append(exactly: pending.map { StyledCharacter($0, .code) })
        }
        var characters: [StyledCharacter] = []
        for scalar in pending { highlighter?.feed(scalar, to: &characters) }
        output.append(exactly: characters)
    }

    private mutating func endCode() {
        guard case .code = line else { return }
        var characters: [StyledCharacter] = []
        highlighter?.endLine(to: &characters)
        output.append(exactly: characters)
    }

    // MARK: Tables

    private mutating func takeRow() {
        let lines = rows.add(pending[...], depth: depth, columns: columns)
        show(lines, depth: depth)
        pending.removeAll(keepingCapacity: true)
    }

    /// - Parameter isLast: Whether the last line has no line break.
    private mutating func showRows(isLast: Bool = false) {
        let depth = rows.depth
        show(rows.take(columns: columns), depth: depth, isLast: isLast)
    }

    private mutating func show(_ lines: [[StyledCharacter]], depth: Int, isLast: Bool = false) {
        for (index, line) in lines.enumerated() {
            showQuote(depth)
            for character in line { output.append(character.scalar, character.style) }
            if index < lines.count - 1 || !isLast { output.append("\n") }
        }
    }
}
