/// Layout of a table in a terminal: the widths of its columns, and its rows as lines.
///
/// If the terminal is too narrow for columns, a row becomes a list of its cells, each after the name of its column.
struct TableLayout: Sendable {
    /// Minimum width of a text column, unless its text is shorter.
    private static let leastWidth = 4
    /// Maximum width of a table if the terminal's width is unknown, because one long cell widens all rows.
    private static let widest = 200
    private static let border = TextStyle.dim
    private static let bar = StyledCharacter("│", border)

    private let header: [TableCell]
    private let alignments: [TableRow.Alignment]
    /// Widths of the columns; nil if there is no room for columns.
    private let widths: [Int]?

    /// - Parameter columns: Columns of the terminal; nil if they are unknown.
    init(header: [TableCell], rows: [[TableCell]], alignments: [TableRow.Alignment], columns: Int?) {
        let count = max(header.count, rows.map(\.count).max() ?? 0)
        self.header = TableLayout.padded(header, to: count)
        self.alignments = alignments + Array(repeating: .left, count: max(0, count - alignments.count))
        let wanted = (0..<count).map { index in
            ([header] + rows).map { index < $0.count ? $0[index].width : 0 }.max() ?? 0
        }
        // Each column has a border and a space on both sides.
        widths = TableLayout.fitted(wanted, within: (columns ?? TableLayout.widest) - 3 * count - 1)
    }

    /// Returns the first lines of the table.
    ///
    /// - Parameter isAll: Whether the table has no rows.
    func head(isAll: Bool) -> [[StyledCharacter]] {
        if widths != nil { return lines(of: header) + [rule] }
        return isAll ? header.map(\.characters) : []
    }

    /// The line between two rows.
    var rule: [StyledCharacter] {
        guard let widths else { return StyledCharacter.all(of: "──────", TableLayout.border) }
        let dashes = widths.map { String(repeating: "─", count: $0 + 2) }
        return StyledCharacter.all(of: "├" + dashes.joined(separator: "┼") + "┤", TableLayout.border)
    }

    /// Returns whether rows have several lines, so that rules have to separate them.
    func needsRules(between rows: [[TableCell]]) -> Bool {
        guard let widths else { return true }
        return rows.contains { row in
            zip(row, widths).contains { $0.lines(within: max(1, $1)).count > 1 }
        }
    }

    /// Returns a row as lines; cells beyond the columns are added to the last one.
    func lines(of row: [TableCell]) -> [[StyledCharacter]] {
        guard let widths else { return list(of: row) }
        let cells = TableLayout.padded(row, to: widths.count)
        let texts = zip(cells, widths).map { $0.lines(within: max(1, $1)) }
        return (0..<(texts.map(\.count).max() ?? 1)).map { line in
            var characters: [StyledCharacter] = []
            for (index, text) in texts.enumerated() {
                let content = line < text.count ? text[line].characters : []
                let room = max(0, widths[index] - (line < text.count ? text[line].width : 0))
                let before =
                    switch alignments[index] {
                    case .left: 0
                    case .center: room / 2
                    case .right: room
                    }
                characters.append(TableLayout.bar)
                characters += TableLayout.spaces(before + 1) + content + TableLayout.spaces(room - before + 1)
            }
            return characters + [TableLayout.bar]
        }
    }

    /// Returns the cells that are not empty, one per line.
    private func list(of row: [TableCell]) -> [[StyledCharacter]] {
        row.enumerated().compactMap { index, cell in
            guard cell.width > 0 else { return nil }
            let name = index < header.count ? header[index].characters : []
            return name + (name.isEmpty ? [] : StyledCharacter.all(of: ": ", [])) + cell.characters
        }
    }

    /// Returns the widths of the columns. If there is not enough room, the widest columns are narrowed; nil if that is
    /// not enough.
    private static func fitted(_ wanted: [Int], within room: Int) -> [Int]? {
        guard wanted.reduce(0, +) > room else { return wanted }
        func sum(_ limit: Int) -> Int { wanted.reduce(0) { $0 + min($1, limit) } }
        guard sum(leastWidth) <= room else { return nil }
        var limit = leastWidth
        while sum(limit + 1) <= room { limit += 1 }
        var spare = room - sum(limit)
        return wanted.map { width in
            guard width > limit else { return width }
            defer { spare -= 1 }
            return spare > 0 ? limit + 1 : limit
        }
    }

    private static func padded(_ row: [TableCell], to count: Int) -> [TableCell] {
        if row.count > count { return row.prefix(count - 1) + [TableCell(joining: row[(count - 1)...])] }
        return row + Array(repeating: .empty, count: count - row.count)
    }

    private static func spaces(_ count: Int) -> [StyledCharacter] {
        Array(repeating: StyledCharacter(" ", []), count: count)
    }
}
