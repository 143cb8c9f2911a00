/// A line of a Markdown table, split into its cells.
struct TableRow: Sendable {
    /// Alignment of a column's text.
    enum Alignment: Sendable {
        case left, center, right
    }

    /// Cells without surrounding spaces.
    let cells: [ArraySlice<Unicode.Scalar>]

    init(_ line: ArraySlice<Unicode.Scalar>) {
        var cells: [ArraySlice<Unicode.Scalar>] = []
        var cell: [Unicode.Scalar] = []
        var isEscaped = false
        for scalar in line.drop(while: { $0.isSpace }).dropFirst() {
            if scalar == "|", !isEscaped {
                cells.append(TableRow.trimmed(cell))
                cell = []
            } else {
                // After a backslash, a bar belongs to the cell, and the backslash is removed.
                if scalar == "|" { cell.removeLast() }
                cell.append(scalar)
            }
            isEscaped = scalar == "\\" && !isEscaped
        }
        // Text after the last bar is a cell only if it is not empty.
        let last = TableRow.trimmed(cell)
        if !last.isEmpty || cells.isEmpty { cells.append(last) }
        self.cells = cells
    }

    /// Alignments of the columns; nil unless this is the line below a header.
    var alignments: [Alignment]? {
        var alignments: [Alignment] = []
        for cell in cells {
            let dashes = cell.drop { $0 == ":" }.prefix { $0 == "-" }
            let (before, after) = (dashes.startIndex - cell.startIndex, cell.endIndex - dashes.endIndex)
            guard !dashes.isEmpty, before <= 1, after <= 1, after == 0 || cell.last == ":" else { return nil }
            alignments.append(after == 0 ? .left : before == 1 ? .center : .right)
        }
        return alignments
    }

    private static func trimmed(_ cell: [Unicode.Scalar]) -> ArraySlice<Unicode.Scalar> {
        guard let last = cell.lastIndex(where: { !$0.isSpace }) else { return [] }
        return cell[...last].drop { $0.isSpace }
    }
}
