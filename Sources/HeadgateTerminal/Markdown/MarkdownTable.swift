/// Rows of a table, which are held until it is complete, because the widths of its columns depend on all rows.
///
/// A table that grows beyond ``limit`` keeps its current widths, and further rows are shown as they arrive.
struct MarkdownTable: Sendable {
    /// Maximum number of held characters.
    static let limit = 64 << 10
    /// Maximum columns of a table. Lines with more cells do not begin one.
    private static let mostColumns = 32
    /// Characters that a row counts toward the limit in addition to its text.
    private static let costOfRow = 16

    private let header: [TableCell]
    private let alignments: [TableRow.Alignment]
    /// Number of spaces before each line.
    private let indentation: Int
    private var rows: [[TableCell]] = []
    private var size = 0
    /// Layout of a table that is already being shown, because it is large; nil for other tables.
    private var layout: TableLayout?
    private var separatesRows = false

    /// - Parameters:
    ///   - line: Header.
    ///   - separator: Line below the header.
    /// - Returns: Nil if the second line shows that this is not a table.
    init?(header line: ArraySlice<Unicode.Scalar>, separator: ArraySlice<Unicode.Scalar>) {
        guard let alignments = TableRow(separator).alignments else { return nil }
        let cells = TableRow(line).cells
        guard max(cells.count, alignments.count) <= MarkdownTable.mostColumns else { return nil }
        header = cells.map { TableCell($0, .bold) }
        self.alignments = alignments
        indentation = min(8, line.prefix { $0 == " " }.count)
    }

    /// Adds a row.
    ///
    /// - Parameter columns: Columns of the terminal.
    /// - Returns: Lines that can be shown now.
    mutating func add(_ line: ArraySlice<Unicode.Scalar>, columns: Int?) -> [[StyledCharacter]] {
        let cells = TableRow(line).cells.map { TableCell($0, []) }
        let most = MarkdownTable.mostColumns
        rows.append(
            cells.count <= most ? cells : cells.prefix(most - 1) + [TableCell(joining: cells[(most - 1)...])])
        size += line.count + MarkdownTable.costOfRow
        return size > MarkdownTable.limit || layout != nil ? take(columns: columns) : []
    }

    /// Returns the held lines.
    mutating func take(columns: Int?) -> [[StyledCharacter]] {
        var lines: [[StyledCharacter]] = []
        let isBeginning = layout == nil
        let layout =
            self.layout
            ?? TableLayout(
                header: header, rows: rows, alignments: alignments, columns: columns.map { $0 - indentation })
        self.layout = layout
        if isBeginning {
            lines = layout.head(isAll: rows.isEmpty)
            separatesRows = layout.needsRules(between: rows)
        }
        for (index, row) in rows.enumerated() {
            if separatesRows, index > 0 || !isBeginning { lines.append(layout.rule) }
            lines += layout.lines(of: row)
        }
        rows = []
        return lines.map { StyledCharacter.all(of: String(repeating: " ", count: indentation), []) + $0 }
    }
}
