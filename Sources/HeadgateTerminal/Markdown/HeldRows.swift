/// Lines that begin with a vertical bar. They are held until it is clear whether they are a table, and until the table
/// ends.
struct HeldRows: Sendable {
    /// Depth of quotes around them.
    private(set) var depth = 0
    /// A possible header.
    private var header: [Unicode.Scalar]?
    private var table: MarkdownTable?

    /// Adds a complete line.
    ///
    /// - Parameters:
    ///   - depth: Depth of quotes. It must not change while rows are held.
    ///   - columns: Columns of the terminal.
    /// - Returns: Lines that can be shown now.
    mutating func add(_ line: ArraySlice<Unicode.Scalar>, depth: Int, columns: Int?) -> [[StyledCharacter]] {
        self.depth = depth
        let columns = room(in: columns)
        if table != nil { return table?.add(line, columns: columns) ?? [] }
        guard let first = header else {
            header = Array(line)
            return []
        }
        if let begun = MarkdownTable(header: first[...], separator: line) {
            (header, table) = (nil, begun)
            return []
        }
        // Without a separator line below it, a header is text.
        header = Array(line)
        return [InlineText.styled(first[...])]
    }

    /// Returns the held rows.
    mutating func take(columns: Int?) -> [[StyledCharacter]] {
        let columns = room(in: columns)
        defer { self = HeldRows() }
        if let header { return [InlineText.styled(header[...])] }
        return table?.take(columns: columns) ?? []
    }

    /// Continues after the held rows have been shown; a table can have more.
    mutating func resume(columns: Int?) {
        header = nil
        let columns = room(in: columns)
        _ = table?.take(columns: columns)
    }

    /// Returns the columns without those of the quote marks.
    private func room(in columns: Int?) -> Int? { columns.map { max(0, $0 - 2 * depth) } }
}
