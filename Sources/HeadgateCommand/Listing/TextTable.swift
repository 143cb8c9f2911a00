/// Rows in columns, each as wide as its widest text.
struct TextTable {
    let lines: [String]

    /// - Parameter right: the indices of columns whose texts stand at the right.
    init(_ titles: [String], _ rows: [[String]], right: Set<Int> = []) {
        let all = [titles] + rows
        let widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        lines = all.map { row in
            var line = ""
            for (column, text) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - text.count)
                line += (column > 0 ? "  " : "") + (right.contains(column) ? padding + text : text + padding)
            }
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }
}
