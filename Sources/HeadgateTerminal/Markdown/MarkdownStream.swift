/// Shows Markdown on a terminal while it comes.
///
/// Text is shown as soon as it is clear what it is: plain text at once, emphasis and inline code when they are closed,
/// the beginning of a line when it tells what kind of line it is. What has been shown is never changed, so nothing
/// flickers and everything can be scrolled and copied. The result does not depend on how the text was cut. Control
/// characters are shown, never sent. Lines of text are broken between words; code and tables stay as they are.
package struct MarkdownStream: Sendable {
    private enum Line: Sendable {
        case undecided
        case code
        case text(TextStyle, isTable: Bool)
    }

    private static let ruleWidth = 40

    private var output = StyledText()
    /// Of the present line, what has not been shown.
    private var pending: [Unicode.Scalar] = []
    private var line = Line.undecided
    /// What was shown last in this line.
    private var previous: Unicode.Scalar?
    private var fence: LineStart.Fence?
    /// How many quotes this line stands in.
    private var depth = 0
    private var isInList = false
    /// Whether the line before was blank, or code by indentation.
    private var allowsIndentedCode = true

    /// - Parameter columns: the terminal's width; nil breaks no line.
    package init(columns: Int? = nil) { output = StyledText(columns: columns) }

    /// The terminal's width, which may change at any time.
    package var columns: Int? {
        get { output.columns }
        set { output.columns = newValue }
    }

    /// - Returns: what can be shown now.
    package mutating func feed(_ text: String) -> String {
        for scalar in text.unicodeScalars {
            if scalar == "\n" { endLine() } else if scalar != "\r" { pending.append(scalar) }
        }
        advance(isWhole: false)
        return output.take()
    }

    /// - Returns: what was held back. Afterwards the terminal writes plainly, and a new text may begin.
    package mutating func finish() -> String {
        advance(isWhole: true)
        defer { self = MarkdownStream(columns: columns) }
        return output.takeLast()
    }

    private mutating func endLine() {
        advance(isWhole: true)
        output.append("\n")
        pending.removeAll(keepingCapacity: true)
        line = .undecided
        previous = nil
        depth = 0
    }

    private mutating func advance(isWhole: Bool) {
        do {
            while case .undecided = line, !(pending.isEmpty && !isWhole) { try begin(isWhole: isWhole) }
        } catch {
            return
        }
        switch line {
        case .undecided: return
        case .code:
            for scalar in pending { output.append(scalar, .code, wraps: false) }
            pending.removeAll(keepingCapacity: true)
        case .text(let style, let isTable):
            let count = show(pending[...], style, isTable: isTable, isWhole: isWhole)
            pending.removeFirst(count)
        }
    }

    // MARK: Lines

    private mutating func begin(isWhole: Bool) throws {
        let text = Lookahead(pending[...], isWhole: isWhole)
        guard let fence else {
            let allowsCode = allowsIndentedCode && !isInList && depth == 0
            return begin(try LineStart(readingFrom: text, allowsIndentedCode: allowsCode))
        }
        guard depth < fence.depth else { return begin(try LineStart(readingFrom: text, inside: fence)) }
        // A line that leaves the quote leaves the code in it.
        let start = try LineStart(readingFrom: text, allowsIndentedCode: false)
        if case .quote = start {} else { self.fence = nil }
        begin(start)
    }

    private mutating func begin(_ start: LineStart) {
        let wasIndented = fence == nil && start == .code
        defer { if case .quote = start {} else { allowsIndentedCode = start == .blank || wasIndented } }
        switch start {
        case .fence(var opened):
            opened.depth = depth
            fence = opened
            showWhole(.dim)
        case .closingFence:
            fence = nil
            showWhole(.dim)
        case .code: line = .code
        case .heading(let level, let length):
            pending.removeFirst(length)
            line = .text(level == 1 ? [.bold, .underlined] : .bold, isTable: false)
            isInList = false
        case .quote(let length):
            pending.removeFirst(min(length, pending.count))
            depth += 1
            output.append("│ ", .dim)
            output.hang("│ ", .dim)
        case .bullet(let indentation, let length):
            pending.removeFirst(length)
            output.append(String(repeating: " ", count: indentation) + "• ")
            output.hang(String(repeating: " ", count: indentation + 2))
            line = .text([], isTable: false)
            isInList = true
        case .numbered:
            // The number stands at the beginning of the text.
            let number = (pending.firstIndex { $0 == "." || $0 == ")" } ?? 0) + 2
            output.hang(String(repeating: " ", count: number))
            line = .text([], isTable: false)
            isInList = true
        case .rule:
            pending = Array(String(repeating: "─", count: MarkdownStream.ruleWidth).unicodeScalars)
            showWhole(.dim)
            isInList = false
        case .tableSeparator:
            pending = MarkdownStream.separator(pending)
            showWhole(.dim)
        case .tableRow: line = .text([], isTable: true)
        case .blank: line = .text([], isTable: false)
        case .paragraph:
            // A line without indentation ends a list, unless it goes on with the item's paragraph.
            if allowsIndentedCode, pending.first != " " { isInList = false }
            line = .text([], isTable: false)
        }
    }

    private mutating func showWhole(_ style: TextStyle) {
        for scalar in pending { output.append(scalar, style, wraps: false) }
        pending.removeAll(keepingCapacity: true)
        line = .text(style, isTable: false)
    }

    private static func separator(_ row: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard let last = row.lastIndex(of: "|"), let first = row.firstIndex(of: "|") else { return row }
        return row.indices.map { index in
            if index < first || index > last { return row[index] }
            if row[index] == "|" { return index == first ? "├" : index == last ? "┤" : "┼" }
            return "─"
        }
    }

    // MARK: Inside a line

    /// - Returns: how many characters are done with.
    private mutating func show(
        _ text: ArraySlice<Unicode.Scalar>, _ style: TextStyle, isTable: Bool, isWhole: Bool
    ) -> Int {
        var rest = text
        while !rest.isEmpty {
            let view = Lookahead(rest, isWhole: isWhole, window: InlinePiece.window)
            guard let piece = try? InlinePiece(readingFrom: view, after: previous) else { break }
            rest = rest.dropFirst(show(piece, of: rest, style, isTable: isTable))
        }
        return rest.startIndex - text.startIndex
    }

    /// - Returns: the length of the piece.
    private mutating func show(
        _ piece: InlinePiece, of text: ArraySlice<Unicode.Scalar>, _ style: TextStyle, isTable: Bool
    ) -> Int {
        func part(_ range: Range<Int>) -> ArraySlice<Unicode.Scalar> {
            text[text.startIndex + range.lowerBound..<text.startIndex + range.upperBound]
        }
        switch piece {
        case .literal(let count):
            for scalar in part(0..<count) {
                let isBorder = isTable && scalar == "|"
                output.append(isBorder ? "│" : scalar, isBorder ? style.union(.dim) : style, wraps: !isTable)
                previous = scalar
            }
            return count
        case .escaped:
            output.append(text[text.startIndex + 1], style, wraps: !isTable)
            previous = text[text.startIndex + 1]
            return 2
        case .code(let content, let length):
            for scalar in part(content) { output.append(scalar, style.union(.code), wraps: !isTable) }
            previous = "`"
            return length
        case .styled(let more, let content, let length):
            previous = nil
            _ = show(part(content), style.union(more), isTable: isTable, isWhole: true)
            previous = text[text.startIndex + length - 1]
            return length
        case .link(let content, let address, let length):
            previous = nil
            _ = show(part(content), style.union(.underlined), isTable: isTable, isWhole: true)
            if !part(content).elementsEqual(part(address)) {
                output.append(" (", style.union(.dim))
                for scalar in part(address) { output.append(scalar, style.union(.dim)) }
                output.append(")", style.union(.dim))
            }
            previous = ")"
            return length
        }
    }
}
